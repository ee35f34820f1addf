import { failed, ok, type Result } from '../../src-shared/base/result';
import { textsOf } from '../../src-shared/servers/server-decoder';
import {
  ConnectionSchema,
  DEFAULT_LIMITS,
  ServerLimitsSchema,
  type Connection,
  type ServerLimits,
  type StoredValue,
} from '../../src-shared/servers/server.schema';
import { WireChoiceSchema, type WireChoice } from '../../src-shared/servers/wire-choice.schema';
import { holdsVariable } from '../../src-shared/servers/variables-rule';

/** The options of `portcullis mcp test` as they were typed. */
export interface TypedOptions {
  command?: string;
  arg: string[];
  env: string[];
  cwd?: string;
  url?: string;
  header: string[];
  maxReply?: string;
  startTimeout?: string;
  discoveryTimeout?: string;
  callTimeout?: string;
  call?: string;
  args?: string;
  transport?: string;
  era?: string;
  json?: boolean;
  ledgerFolder?: string;
}

/** One test, with nothing left to guess. */
export interface McpTestPlan {
  connection: Connection;
  limits: ServerLimits;
  wire: WireChoice;
  call: { tool: string; argumentsText: string } | null;
  /** Values typed on the command line that are taken for secrets: never printed again. */
  secrets: string[];
}

const UNITS: Record<string, number> = { '': 1, b: 1, kib: 1024, mib: 1024 * 1024 };

/** Checks what was typed. A problem is one sentence that names the option. */
export function planMcpTest(typed: TypedOptions, cwd: string): Result<McpTestPlan, string> {
  const connection = readConnection(typed, cwd);
  if (!connection.ok) return connection;
  const limits = readLimits(typed);
  if (!limits.ok) return limits;
  const wire = readWire(typed, connection.value);
  if (!wire.ok) return wire;
  if (typed.args !== undefined && typed.call === undefined) return failed('Name the tool for --args with --call.');
  const secrets = connection.value.kind === 'http' ? connection.value.headers.flatMap(({ value }) => secretsIn(value)) : [];
  const call = typed.call === undefined ? null : { tool: typed.call, argumentsText: typed.args ?? '{}' };
  return ok({ connection: connection.value, limits: limits.value, wire: wire.value, call, secrets });
}

function readConnection(typed: TypedOptions, cwd: string): Result<Connection, string> {
  const { command, url } = typed;
  if ((command === undefined) === (url === undefined)) return failed('Give either --command or --url.');
  if (url !== undefined) {
    if (typed.arg.length > 0 || typed.env.length > 0 || typed.cwd !== undefined) {
      return failed('The options --arg, --env and --cwd belong to --command, not to --url.');
    }
    const headers = readPairs(typed.header, '--header');
    if (!headers.ok) return headers;
    return checked({ kind: 'http', endpoint: url, headers: headers.value }, '--url or --header');
  }
  if (typed.header.length > 0) return failed('The option --header belongs to --url, not to --command.');
  const env = readPairs(typed.env, '--env');
  if (!env.ok) return env;
  const args = typed.arg.map(literal);
  return checked({ kind: 'stdio', command, args, cwd: typed.cwd ?? cwd, env: env.value }, '--command, --arg, --env or --cwd');
}

function checked(connection: unknown, options: string): Result<Connection, string> {
  const parsed = ConnectionSchema.safeParse(connection);
  const variable = parsed.success && textsOf(parsed.data).find(holdsVariable);
  if (typeof variable === 'string') {
    return failed(`A test fills no variables in. Write the value itself in the place of the variable in ${variable}.`);
  }
  return parsed.success
    ? ok(parsed.data)
    : failed(`A value of ${options} is empty, too long or holds a character that cannot stand there.`);
}

function readPairs(texts: readonly string[], option: string): Result<{ name: string; value: StoredValue }[], string> {
  const pairs: { name: string; value: StoredValue }[] = [];
  for (const text of texts) {
    const equals = text.indexOf('=');
    if (equals < 1) return failed(`Write ${option} as NAME=VALUE.`);
    pairs.push({ name: text.slice(0, equals), value: literal(text.slice(equals + 1)) });
  }
  return ok(pairs);
}

function readLimits(typed: TypedOptions): Result<ServerLimits, string> {
  const limits: ServerLimits = { ...DEFAULT_LIMITS };
  if (typed.maxReply !== undefined) {
    const bytes = readSize(typed.maxReply);
    if (bytes === null || !ServerLimitsSchema.shape.maxReplyBytes.unwrap().safeParse(bytes).success) {
      return failed('Write --max-reply as a size between 1KiB and 64MiB, such as 8MiB.');
    }
    limits.maxReplyBytes = bytes;
  }
  for (const [field, option, text] of [
    ['startTimeoutMs', '--start-timeout', typed.startTimeout],
    ['discoveryTimeoutMs', '--discovery-timeout', typed.discoveryTimeout],
    ['callTimeoutMs', '--call-timeout', typed.callTimeout],
  ] as const) {
    if (text === undefined) continue;
    const ms = readTime(text);
    if (ms === null || !ServerLimitsSchema.shape[field].unwrap().safeParse(ms).success) {
      return failed(`Write ${option} as milliseconds or as seconds such as 5s, between 100 milliseconds and 600s.`);
    }
    limits[field] = ms;
  }
  return ok(limits);
}

function readWire({ transport = 'auto', era = 'auto' }: TypedOptions, { kind }: Connection): Result<WireChoice, string> {
  const { shape } = WireChoiceSchema;
  const protocol = shape.protocol.unwrap().safeParse(transport);
  if (!protocol.success) return failed(`Write --transport as ${listed(shape.protocol.unwrap().options)}.`);
  if (kind === 'stdio' && protocol.data !== 'auto') return failed('The option --transport belongs to --url, not to --command.');
  const spoken = shape.era.unwrap().safeParse(era);
  if (!spoken.success) return failed(`Write --era as ${listed(shape.era.unwrap().options)}.`);
  return ok({ protocol: protocol.data, era: spoken.data });
}

const listed = (options: readonly string[]): string => `${options.slice(0, -1).join(', ')} or ${options.at(-1)}`;

function readSize(text: string): number | null {
  const match = /^(\d{1,9})(b|kib|mib)?$/i.exec(text);
  return match ? Number(match[1]) * (UNITS[(match[2] ?? '').toLowerCase()] ?? 1) : null;
}

/** `5s`, `2.5s`, `500ms` or `500`: milliseconds unless a unit says otherwise. */
function readTime(text: string): number | null {
  const match = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s)?$/.exec(text);
  return match ? Math.round(Number(match[1]) * (match[2] === 's' ? 1000 : 1)) : null;
}

const literal = (value: string): StoredValue => ({ kind: 'literal', value });

/** The value itself, and what follows a scheme such as `Bearer`. */
function secretsIn(value: StoredValue): string[] {
  if (value.kind !== 'literal') return [];
  const word = /^\S+\s+(\S.*)$/.exec(value.value)?.[1];
  return word === undefined ? [value.value] : [value.value, word];
}
