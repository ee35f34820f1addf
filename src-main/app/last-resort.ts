/** The part of the process that hears of what nobody caught. */
export interface FaultSource {
  on(event: 'unhandledRejection' | 'uncaughtException', listener: (fault: unknown) => void): unknown;
  stderr: { write(text: string): unknown };
}

/**
 * Names what nobody caught by its code and its place in our code alone. Without this Electron prints the message of an error
 * or shows it in a box of its own, and a message can hold what a server, a model or the user wrote (P8).
 */
export function standLastResort(source: FaultSource): void {
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    source.on(event, (fault) => void source.stderr.write(`${event}: ${faultWithoutWords(fault)}\n`));
  }
}

const CODE = /^[A-Z][A-Z0-9_]{1,40}$/;
const FRAME = /^ {4}at (?:[\w.$<>#[\] ]{1,120} \()?(?:file:\/\/|node:|[a-z]:\\|\/)[^\s()]{1,300}:\d+:\d+\)?$/i;
const MAX_FRAMES = 12;

function faultWithoutWords(fault: unknown): string {
  if (!(fault instanceof Error)) return 'a fault that is no error';
  const { code } = fault as { code?: unknown };
  const named = typeof code === 'string' && CODE.test(code) ? code : 'a fault without a code';
  return [named, ...framesOf(fault)].join('\n');
}

/** A message can be made to look like frames, so it is cut off before they are looked for. */
function framesOf({ stack = '', message }: Error): string[] {
  const at = stack.indexOf(message);
  if (at === -1) return [];
  const lines = stack.slice(at + message.length).split('\n');
  return lines.filter((line) => FRAME.test(line)).slice(0, MAX_FRAMES);
}
