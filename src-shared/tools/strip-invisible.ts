import { HIDDEN_CHARACTER } from '../base/hidden-characters';

const ESC = '\u001b';
const BEL = '\u0007';
// A sequence's body ends before any other control, so that an unfinished one hides no text and costs no second look.
const BODY = `[^${BEL}${ESC}\u0080-\u009f]*`;
const END = `(?:${BEL}|\u009c|${ESC}\\\\)`;
const CONTROL_SEQUENCE = `(?:${ESC}\\[|\u009b)[0-?]*[ -/]*[@-~]`;
const CONTROL_STRING = `(?:${ESC}[\\]PX^_]|[\u009d\u0090\u0098\u009e\u009f])${BODY}${END}`;
const SHORT_SEQUENCE = `${ESC}[ -/]*[0-~]`;

// U+FE0F directly after a pictograph only colours it; anywhere else it is a way to write unseen.
const EMOJI_STYLE = String.raw`(?<=\p{Extended_Pictographic})\ufe0f`;
const INVISIBLE = new RegExp(
  `${CONTROL_SEQUENCE}|${CONTROL_STRING}|${SHORT_SEQUENCE}|(?!${EMOJI_STYLE})${HIDDEN_CHARACTER}`,
  'gu',
);

export interface StrippedText {
  text: string;
  /** Characters taken out. Carriage returns of Windows line ends are not counted. */
  removed: number;
}

/** Takes out whatever shows nothing or changes how the rest shows, keeping newlines and tabs (O1). */
export function stripInvisible(text: string): StrippedText {
  let removed = 0;
  const stripped = text.replace(/\r\n/g, '\n').replace(INVISIBLE, (match) => {
    removed += [...match].length;
    return match === '\u2028' || match === '\u2029' ? '\n' : '';
  });
  return { text: stripped, removed };
}
