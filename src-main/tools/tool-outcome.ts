import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import { cutAtCharacter } from '../../src-shared/base/hidden-characters';
import { failureText } from '../../src-shared/tools/failure-text';
import { neutraliseDelimiter, treatResult, wrapToolOutput } from '../../src-shared/tools/output-treatment';
import { stripInvisible } from '../../src-shared/tools/strip-invisible';
import { readResultParts, textOfParts } from '../../src-shared/tools/result-parts';
import type { NotRunReason, ToolOutcome } from '../../src-shared/tools/tool.schema';
import { exactStructuredText } from '../sessions/exact-messages';
import type { SessionProblem } from '../sessions/session-problem';

/** Whose call it was, by the user's name for the server (E6). */
export interface OutcomeContext {
  serverName: string;
  toolName: string;
}

export interface Treatment {
  /** On both tags of the frame; made anew for each result (O2). */
  id: string;
  /** Takes known secrets out of what came back (S5). */
  mask: (text: string) => string;
}

/** Keeps a long answer with its chat. A full disk costs the rest of it, never the answer. */
export function keepIn(
  kept: { keep(id: ConversationId, text: string): string },
  id: ConversationId,
): (text: string) => string | undefined {
  return (text) => {
    try {
      return kept.keep(id, text);
    } catch {
      return undefined;
    }
  };
}

const NOTHING_SENT = { ms: 0, bytesOut: 0, bytesIn: 0, allowedBy: '', removedCharacters: 0, parts: [] } as const;

/** What a server answered, treated. `keep` stores a text with its chat and names it: the whole one when it was cut (O3), the server's own when something was taken out (O1). */
export function treatedOutcome(
  context: OutcomeContext,
  raw: unknown,
  treatment: Treatment,
  keep: (text: string) => string | undefined,
): ToolOutcome {
  const { parts, isError } = readResultParts(raw, exactStructuredText(raw));
  const frame = { server: context.serverName, tool: context.toolName, ...treatment, failed: isError };
  const first = treatResult(parts, frame);
  const handle = first.cut ? keep(first.whole) : undefined;
  const treated = handle === undefined ? first : treatResult(parts, { ...frame, handle });
  // Its handle is told to the window alone: a model never reads what was taken out.
  const rawHandle = first.removedCharacters > 0 ? keep(treatment.mask(textOfParts(parts, isError))) : undefined;
  return {
    ...NOTHING_SENT,
    kind: isError ? 'failed' : 'answered',
    forModel: treated.forModel,
    forPerson: treated.forPerson,
    parts: treated.parts,
    removedCharacters: treated.removedCharacters,
    ...(handle === undefined ? {} : { outputHandle: handle }),
    ...(rawHandle === undefined ? {} : { rawHandle }),
  };
}

/** What became of a call whose server failed: framed exactly as an answer is, with at most 200 of its own characters (O2, O4). */
export function failedOutcome(context: OutcomeContext, problem: SessionProblem, { id, mask }: Treatment): ToolOutcome {
  // Stripped first, or a secret held apart by invisible characters would slip through (S5).
  const treated = (words: string): string => mask(stripInvisible(words).text);
  const next = treated(problem.message);
  const said = problem.said === undefined ? null : treated(problem.said);
  const text = said === null ? next : failureText({ serverName: context.serverName, said, next });
  const forModel = wrapToolOutput({ server: context.serverName, tool: context.toolName, id, text, failed: true });
  return { ...NOTHING_SENT, kind: 'failed', forModel, forPerson: text, parts: [{ kind: 'text', text }] };
}

/** A call that nobody let run, or that could not be one. These are the app's own words, so they stand without a frame. */
export function notRunOutcome(why: NotRunReason, words: string): ToolOutcome {
  // A name out of a schema can stand among them, and must not open a frame (O2).
  const forModel = `Not run. ${neutraliseDelimiter(words)}`;
  return { ...NOTHING_SENT, kind: 'not-run', why, forModel, forPerson: words, parts: [] };
}

/** More of the changed arguments than this is no use to a model that wrote the ones before. */
const MAX_TOLD_ARGUMENTS = 2000;

/** A call that a person let run with other arguments: the transcript keeps them, and the model is told in words of the app's own (A5). */
export function editedOutcome(outcome: ToolOutcome, { mask }: Pick<Treatment, 'mask'>, editedArguments: string): ToolOutcome {
  const told = mask(editedArguments);
  const cut = cutAtCharacter(told, MAX_TOLD_ARGUMENTS);
  const rest = cut.length < told.length ? ` … and ${told.length - cut.length} more characters` : '';
  const note = `The user changed the arguments of this call. They are now: ${neutraliseDelimiter(cut)}${rest}`;
  return { ...outcome, forModel: `${note}\n\n${outcome.forModel}`, editedArguments };
}
