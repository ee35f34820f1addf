import { failed, ok, type Result } from '../base/result';
import { checkAddressTemplate } from './address-template';
import { changesWhatRuns } from './launch-rule';
import { checkNamespace } from './namespace-rule';
import {
  type Connection,
  type DraftVariable,
  type SecretRef,
  type ServerConfig,
  ServerConfigSchema,
  type ServerDraft,
  type ServerId,
  ServerIdSchema,
} from './server.schema';
import { refsIn } from './stored-draft-rule';
import { inputKeysIn } from './variables-rule';

/** A stored entry that breaks a rule: listed with the reason, never connected (S2). */
export interface RefusedServer {
  /** Null when the entry carries no id this app can have made (S11). */
  id: ServerId | null;
  /** Something to call it by, whatever the entry holds. */
  name: string;
  /** One sentence that says what to do. */
  reason: string;
}

const NAMELESS = 'An entry without a name';

/** Reads one entry of the store. Any JSON at all comes back as a server or as a refusal; nothing throws. */
export function decodeServer(raw: unknown): Result<ServerConfig, RefusedServer> {
  const refuse = (reason: string) => failed({ id: idOf(raw), name: nameOf(raw), reason });
  if (!isRecord(raw)) return refuse('This entry is not a server. Remove it from the file.');
  if (idOf(raw) === null) return refuse('This entry has no id that this app made. Remove it, then add the server in Settings.');
  // What a file the store follows holds now and no rule lets through: its entry stays, with the reason (S2, T3).
  if (typeof raw['refused'] === 'string') return refuse(raw['refused'].slice(0, 500));
  const parsed = ServerConfigSchema.safeParse(raw);
  if (!parsed.success) return refuse(shapeReason(parsed.error.issues[0]?.path ?? []));

  const checked = checkConnection(parsed.data.connection);
  if (!checked.ok) return refuse(checked.problem);
  const named = checkNamespace(parsed.data.namespace ?? '');
  return ok({
    ...parsed.data,
    connection: checked.value,
    namespace: named.ok ? named.value : null,
    // N1: without a legal short name nothing is published, so there is nothing to be on for.
    enabled: named.ok && parsed.data.enabled,
  });
}

type AnyConnection = Connection | ServerDraft['connection'];
type NamedValues = readonly { name: string; value: { kind: string; value?: string } }[];

/** The rules for what a server connects to, the same for a draft and for a stored entry (S2). The address comes back in the form that is dialled. */
export function checkConnection<C extends AnyConnection>(connection: C): Result<C, string> {
  const named: NamedValues = connection.kind === 'stdio' ? connection.env : connection.headers;
  // Headers are one whatever their case; http_proxy and HTTP_PROXY are two variables.
  const key = (name: string) => (connection.kind === 'http' ? name.toLowerCase() : name);
  const doubled = named.find(({ name }, at) => named.findIndex((other) => key(other.name) === key(name)) !== at);
  if (doubled) return failed(`Keep one ${quoted(doubled.name)}: the same name stands there twice.`);

  const inputs = connection.inputs ?? [];
  const twice = inputs.find(({ key }, at) => inputs.findIndex((other) => other.key === key) !== at);
  if (twice) return failed(`Keep one ${quoted(twice.key)}: the same name stands there twice.`);
  const asked = inputKeysIn(textsOf(connection)).find((key) => !inputs.some((input) => input.key === key));
  if (asked !== undefined) return failed(`Enter the value of ${quoted(asked)}, which this entry asks for.`);

  if (connection.kind === 'http') {
    const endpoint = checkAddressTemplate(connection.endpoint);
    if (!endpoint.ok) return endpoint;
    const broken = named.find(({ value }) => /[\r\n\0]/.test(value.value ?? ''));
    if (broken) return failed(`Remove the line end from the value of the header ${quoted(broken.name)}.`);
    return ok({ ...connection, endpoint: endpoint.value });
  }

  const hidden = named.find(({ name, value }) => /secret/.test(value.kind) && changesWhatRuns(name));
  if (hidden)
    return failed(`${hidden.name} changes what runs, so its value cannot be saved as a secret. Enter it as plain text.`);
  const texts = [
    connection.command,
    connection.cwd ?? '',
    ...connection.args.map((value) => ('value' in value ? value.value : '')),
    ...named.flatMap(({ name, value }) => [name, value.value ?? '']),
  ];
  if (texts.some((text) => text.includes('\0')))
    return failed('Remove the NUL character from the command: no program can be given one.');
  if (connection.command.trim() === '') return failed('Enter the command that starts the server.');
  return ok(connection);
}

/** Every text of an entry that variables are read in. A secret is used as it is (S6). */
export function textsOf(connection: AnyConnection): string[] {
  if (connection.kind === 'http') return [connection.endpoint, ...connection.headers.map(({ value }) => textOf(value))];
  const { command, cwd = '', args, env } = connection;
  return [command, cwd, ...args.map(textOf), ...env.map(({ value }) => textOf(value))];
}

/** The saved secrets an entry uses, each once. */
export const secretRefsOf = (connection: Connection): SecretRef[] => [...new Set(refsIn(connection))];

const textOf = (value: DraftVariable): string => (value.kind === 'literal' ? value.value : '');

function shapeReason(path: readonly PropertyKey[]): string {
  if (path[0] === 'name') return 'This entry has no name. Give it one of 1 to 300 characters.';
  const inside = path.slice(1).find((part) => typeof part === 'string');
  const field = inside === undefined || inside === 'kind' ? 'connection' : inside;
  return `The ${quoted(field)} of this entry is not in a form this app knows. Correct it in the file, or remove the entry and add the server again.`;
}

function idOf(raw: unknown): ServerId | null {
  const id = ServerIdSchema.safeParse(isRecord(raw) ? raw['id'] : undefined);
  return id.success ? id.data : null;
}

function nameOf(raw: unknown): string {
  const name = isRecord(raw) ? raw['name'] : undefined;
  return typeof name === 'string' && name.trim() !== '' ? [...name.trim()].slice(0, 300).join('') : NAMELESS;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const quoted = (text: string): string => `“${text}”`;
