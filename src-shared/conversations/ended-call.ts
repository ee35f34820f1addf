import type { ToolOutcome } from '../tools/tool.schema';

const ENDED = 'The app ended before this call answered, so it is not known whether it took effect.';

/** The one result of a call that never got another: the app was stopped or crashed in the middle of it (A8). */
export const endedCallOutcome: ToolOutcome = {
  kind: 'failed',
  forModel: ENDED,
  forPerson: ENDED,
  parts: [],
  removedCharacters: 0,
  ms: 0,
  bytesOut: 0,
  bytesIn: 0,
  allowedBy: '',
};
