import { failed, ok, type Result } from '../base/result';
import { checkJsonBounds } from '../base/json-bounds';
import type { FieldProblem } from '../tools/form-reading';
import type { Json, JsonObject } from '../tools/tool.schema';
import { choicesOf } from './question-rule';

/** The longest answer a form takes, as JSON. */
export const MAX_ANSWER_LENGTH = 64_000;

/** What a filled form sends: the protocol knows no other values. */
export interface FormAnswer {
  [field: string]: string | number | boolean | string[];
}

/** Whether an answer is one the asked form allows, and of nothing but its fields (W8). What is refused is said field by field. */
export function checkAnswer(schema: JsonObject, answer: unknown): Result<FormAnswer, FieldProblem[]> {
  const { properties, required } = schema;
  if (
    !isObject(answer) ||
    !isObject(properties) ||
    checkJsonBounds(answer, { maxDepth: 2, maxChars: MAX_ANSWER_LENGTH }) !== null
  )
    return failed([{ path: [], message: 'The answer does not fit the form. Fill it in again.' }]);
  const problems: FieldProblem[] = [];
  for (const [name, value] of Object.entries(answer)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const message = isObject(field) ? problemOf(field, value) : 'The form has no such field.';
    if (message !== null) problems.push({ path: [name], message });
  }
  for (const name of Array.isArray(required) ? required : []) {
    if (typeof name === 'string' && Object.hasOwn(properties, name) && !Object.hasOwn(answer, name))
      problems.push({ path: [name], message: 'This one is needed.' });
  }
  return problems.length > 0 ? failed(problems) : ok(answer as FormAnswer);
}

function problemOf(field: JsonObject, value: Json): string | null {
  const { type } = field;
  if (type === 'boolean') return typeof value === 'boolean' ? null : 'Choose yes or no.';
  if (type === 'number' || type === 'integer') return problemOfNumber(field, value);
  if (type === 'array') return problemOfChoices(field, value);
  if (typeof value !== 'string') return 'Enter some text.';
  const choices = choicesOf(field);
  if (choices !== null) return choices.includes(value) ? null : 'Choose one of the list.';
  return problemOfLength(field, value) ?? problemOfFormat(field['format'], value);
}

function problemOfNumber({ type, minimum, maximum }: JsonObject, value: Json): string | null {
  if (typeof value !== 'number') return 'Enter a number.';
  if (type === 'integer' && !Number.isInteger(value)) return 'Enter a whole number.';
  // Beyond this a number would not arrive as it was typed (O6).
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return 'Enter a number of at most 15 digits.';
  if (typeof minimum === 'number' && value < minimum) return `Enter a number of at least ${minimum}.`;
  if (typeof maximum === 'number' && value > maximum) return `Enter a number of at most ${maximum}.`;
  return null;
}

function problemOfChoices({ items, minItems, maxItems }: JsonObject, value: Json): string | null {
  const choices = isObject(items) ? choicesOf(items) : null;
  if (!Array.isArray(value) || new Set(value).size !== value.length) return 'Tick what is in the list.';
  if (!value.every((each) => typeof each === 'string' && choices?.includes(each))) return 'Tick what is in the list.';
  if (typeof minItems === 'number' && value.length < minItems) return `Tick at least ${minItems}.`;
  if (typeof maxItems === 'number' && value.length > maxItems) return `Tick at most ${maxItems}.`;
  return null;
}

function problemOfLength({ minLength, maxLength }: JsonObject, value: string): string | null {
  // JSON Schema counts characters, not UTF-16 units.
  const { length } = [...value];
  if (typeof minLength === 'number' && length < minLength) return `Enter at least ${minLength} characters.`;
  if (typeof maxLength === 'number' && length > maxLength) return `Enter at most ${maxLength} characters.`;
  return null;
}

/** The four formats the protocol names; any other one says nothing. */
function problemOfFormat(format: Json | undefined, value: string): string | null {
  switch (format) {
    case 'email':
      return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value) ? null : 'Enter an e-mail address, such as name@example.com.';
    case 'uri':
      return /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) && URL.canParse(value)
        ? null
        : 'Enter a full address, such as https://example.com.';
    case 'date':
      return isDay(value) ? null : 'Enter a day as year, month and day, such as 2027-01-31.';
    case 'date-time':
      return isDay(value.slice(0, 10)) && TIME.test(value.slice(10))
        ? null
        : 'Enter a day and a time with its zone, such as 2027-01-31T12:00:00Z.';
    default:
      return null;
  }
}

const DAY = /^(\d{4})-(\d\d)-(\d\d)$/;
// RFC 3339, section 5.6.
const TIME = /^[T ](?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;
const DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDay(text: string): boolean {
  const [, year = '', month = '', day = ''] = DAY.exec(text) ?? [];
  const leap = Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0);
  const last = month === '02' && leap ? 29 : (DAYS[Number(month) - 1] ?? 0);
  return Number(day) >= 1 && Number(day) <= last;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
