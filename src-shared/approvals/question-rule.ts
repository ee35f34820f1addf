import { checkJsonBounds } from '../base/json-bounds';
import { failed, ok, type Result } from '../base/result';
import { checkEndpoint } from '../servers/endpoint-rule';
import { HOST_WARNINGS } from '../servers/host-script';
import { stripInvisible } from '../tools/strip-invisible';
import type { Json, JsonObject } from '../tools/tool.schema';
import { namesSecret, speaksOfSecret } from './secret-words';

/** A server can ask this often during one call; its next question is not shown (W8). */
export const MAX_ROUNDS = 3;
export const MAX_FIELDS = 32;
const MAX_CHOICES = 200;
const MAX_MESSAGE_LENGTH = 4000;
const MAX_ADDRESS_LENGTH = 2048;
const BOUNDS = { maxDepth: 8, maxChars: 64_000 } as const;

/** What a server asks a person for during a call: to fill in a form, or to open an address. */
export type ServerQuestion =
  | { kind: 'form'; message: string; schema: JsonObject; removedCharacters: number }
  | { kind: 'address'; message: string; address: QuestionAddress; removedCharacters: number };

export interface QuestionAddress {
  /** Exactly what is shown, and what is opened. */
  whole: string;
  host: string;
  /** What is unusual about the host, in a sentence (E1). */
  warning: string | null;
}

export interface AskingServer {
  name: string;
  /** Whether what is sent to it leaves this computer (E3). */
  leaves: boolean;
}

/**
 * Reads the parameters of `elicitation/create`, of either era. A question that is not shown to anybody is a sentence that says why.
 * The texts in it are treated (O1); names of members and the values of a choice stay what the server expects back.
 */
export function readQuestion(params: unknown, server: AskingServer): Result<ServerQuestion, string> {
  if (!isObject(params) || checkJsonBounds(params, BOUNDS) !== null)
    return failed(`${server.name} asked for something that is larger or deeper than a form is.`);
  const { message, mode = 'form' } = params;
  const said = stripInvisible(typeof message === 'string' ? message : '');
  if (said.text.length > MAX_MESSAGE_LENGTH)
    return failed(`${server.name} asked something in more than ${MAX_MESSAGE_LENGTH} characters.`);
  if (mode === 'url') return readAddress(params['url'], said.text, said.removed, server);
  if (mode !== 'form') return failed(`${server.name} asked in a way this app does not know.`);
  return readForm(params['requestedSchema'], said.text, said.removed, server);
}

function readForm(
  schema: Json | undefined,
  message: string,
  removed: number,
  { name }: AskingServer,
): Result<ServerQuestion, string> {
  const properties = isObject(schema) ? schema['properties'] : undefined;
  if (!isObject(schema) || schema['type'] !== 'object' || !isObject(properties))
    return failed(`${name} asked for something that is not a form.`);
  const fields = Object.entries(properties);
  if (fields.length > MAX_FIELDS) return failed(`${name} asked for ${fields.length} things at once. A form holds ${MAX_FIELDS}.`);
  let takesWords = false;
  for (const [member, field] of fields) {
    if (!isObject(field) || !isFlat(field))
      return failed(`${name} asked for something that is not a plain text, number, yes or no, or choice.`);
    if (field['type'] === 'boolean' || isChoice(field)) continue;
    takesWords = true;
    const { title, description, format } = field;
    const label = textOf(title) === '' ? member : textOf(title);
    if (format === 'password' || namesSecret(member) || namesSecret(textOf(title)) || speaksOfSecret(textOf(description)))
      return failed(secretSentence(name, stripInvisible(label).text));
  }
  if (takesWords && speaksOfSecret(message)) return failed(secretSentence(name, null));
  const treated = treatTexts(properties);
  const required = Array.isArray(schema['required']) ? schema['required'].filter((each) => typeof each === 'string') : [];
  return ok({
    kind: 'form',
    message,
    schema: { type: 'object', properties: treated.properties, required },
    removedCharacters: removed + treated.removed,
  });
}

function secretSentence(server: string, label: string | null): string {
  const what = label === null ? 'something' : `“${label.replace(/\s+/g, ' ').trim().slice(0, 60)}”`;
  return `${server} asked for ${what}, which looks like a secret. Secrets are not typed into a server’s form: save them in Settings, MCP servers.`;
}

/** Flat, as the protocol has it: one value, or several of a list of choices. */
function isFlat(field: JsonObject): boolean {
  switch (field['type']) {
    case 'string':
    case 'number':
    case 'integer':
    case 'boolean':
      return !isChoice(field) || (choicesOf(field)?.length ?? 0) > 0;
    case 'array':
      return isObject(field['items']) && (choicesOf(field['items'])?.length ?? 0) > 0;
    default:
      return false;
  }
}

const isChoice = (field: JsonObject): boolean => field['type'] === 'array' || 'enum' in field || 'oneOf' in field;

/** The values that can be chosen, of all four spellings the protocol had; null when they are not plain. */
export function choicesOf(field: JsonObject): string[] | null {
  const { enum: listed, oneOf, anyOf } = field;
  const titled = oneOf ?? anyOf;
  const values = Array.isArray(listed)
    ? listed
    : Array.isArray(titled)
      ? titled.map((choice) => (isObject(choice) ? (choice['const'] ?? null) : null))
      : null;
  if (values === null || values.length > MAX_CHOICES || !values.every((value) => typeof value === 'string')) return null;
  return values;
}

function readAddress(
  url: Json | undefined,
  message: string,
  removed: number,
  { name, leaves }: AskingServer,
): Result<ServerQuestion, string> {
  const text = typeof url === 'string' ? url : '';
  const mark = text.indexOf('#');
  const [head, tail] = mark === -1 ? [text, ''] : [text.slice(0, mark), text.slice(mark)];
  const checked = checkEndpoint(head);
  if (!checked.ok || /[\s\p{Cc}]/u.test(tail))
    return failed(`${name} asked to open an address that is not a plain https address, so it was not opened.`);
  // A server elsewhere has no business with what listens on this computer.
  if (leaves && !checked.value.leaves)
    return failed(`${name} is not on this computer and asked to open an address on it, so it was not opened.`);
  const { address, host, warning } = checked.value;
  // In the form a browser makes of it, so that what is shown is what is opened.
  const whole = new URL(address + tail).href;
  if (whole.length > MAX_ADDRESS_LENGTH) return failed(`${name} asked to open an address that is too long to be read.`);
  const shown = { whole, host, warning: warning === null ? null : HOST_WARNINGS[warning] };
  return ok({ kind: 'address', message, address: shown, removedCharacters: removed });
}

/** Strips every text a form shows or is filled with. What stands for a choice goes back as it came, and is shown treated. */
function treatTexts(properties: JsonObject): { properties: JsonObject; removed: number } {
  let removed = 0;
  const treat = (part: Json): Json => {
    if (typeof part === 'string') {
      const stripped = stripInvisible(part);
      removed += stripped.removed;
      return stripped.text;
    }
    if (Array.isArray(part)) return part.map(treat);
    if (!isObject(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([name, member]) => [name, name === 'enum' || name === 'const' ? member : treat(member)]),
    );
  };
  // Members are named by the server, and one can be called like a keyword.
  const treated = Object.entries(properties).map(([name, field]): [string, Json] => [name, treat(field)]);
  return { properties: Object.fromEntries(treated), removed };
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
