import { holdsLongNumber, readExactJson } from '../../src-shared/base/exact-json';

/** The message texts of results whose numbers a parse would round, for as long as the result is held. */
const texts = new WeakMap<object, string>();

/** Parses a message and remembers its text where its result holds long numbers (O6). Throws what JSON.parse throws. */
export function parseJsonRpc(text: string): unknown {
  const message: unknown = JSON.parse(text);
  const result = resultOf(message);
  if (isObject(result) && holdsLongNumber(text)) texts.set(result, text);
  return message;
}

/** The structured content of a result as JSON text with all its digits; undefined when parsing it lost none. */
export function exactStructuredText(result: unknown): string | undefined {
  const text = isObject(result) ? texts.get(result) : undefined;
  if (text === undefined) return undefined;
  const exact = readExactJson(text);
  const read = resultOf(exact.value);
  const structured = isObject(read) ? read['structuredContent'] : undefined;
  return structured === undefined || structured === null ? undefined : exact.write(structured);
}

const resultOf = (message: unknown): unknown => (isObject(message) ? message['result'] : undefined);

function isObject(value: unknown): value is { [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
