import { createHmac } from 'node:crypto';
import { delimiter, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LaunchPlan } from '../../src-shared/approvals/approval.schema';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { toVisibleText } from '../../src-shared/base/visible-text';
import { checkEndpoint, ENDPOINT_ADVICE } from '../../src-shared/servers/endpoint-rule';
import { changesWhatRuns, flagLaunch, launchCanonicalForm, type NamedValue } from '../../src-shared/servers/launch-rule';
import type {
  HttpConnection,
  SecretRef,
  ServerConfig,
  StdioConnection,
  StoredValue,
} from '../../src-shared/servers/server.schema';
import type { findProgram } from '../processes/find-program';
import type { ProgramStart } from '../processes/program';
import { baseEnvironment } from './base-environment';

/** What is executed: real path, arguments, folder and environment with secrets resolved. */
export type ProgramLaunch = Pick<ProgramStart, 'realPath' | 'calledAs' | 'args' | 'cwd' | 'env'>;
/** What is contacted, secrets resolved. */
export interface AddressLaunch {
  url: string;
  headers: readonly { name: string; value: string }[];
}

/** One launch, frozen: what is shown, what approval stands for, and the very values that are used (T2). */
export interface FrozenLaunch {
  readonly plan: LaunchPlan;
  /** HMAC-SHA-256, hex, over the canonical form of everything an approval stands for. */
  readonly fingerprint: string;
  readonly start:
    { readonly kind: 'stdio'; readonly program: ProgramLaunch } | { readonly kind: 'http'; readonly address: AddressLaunch };
}

export interface LaunchPlanParts {
  findProgram: typeof findProgram;
  digestIfWritable(path: string): Promise<string | null>;
  readSecret(ref: SecretRef): Result<string, 'missing' | 'locked'>;
  hostEnv: Readonly<Record<string, string | undefined>>;
  home: string;
  /** The HMAC key of launch fingerprints. */
  key: Buffer;
}

/** Describes the terminal the app was started from, if any: told, but no part of what is approved. */
const NOT_APPROVED_BY_VALUE = 'TERM';

/** Works out exactly what an entry would run or contact now. Starts nothing and contacts nothing (T1, T2). */
export function planLaunch(config: ServerConfig, parts: LaunchPlanParts): Promise<Result<FrozenLaunch, string>> {
  return config.connection.kind === 'stdio' ? planProgram(config.connection, parts) : planAddress(config.connection, parts);
}

async function planProgram(connection: StdioConnection, parts: LaunchPlanParts): Promise<Result<FrozenLaunch, string>> {
  const cwd = resolve(parts.home, connection.cwd ?? '.');
  const doubled = firstDoubled(connection.env.map(({ name }) => (process.platform === 'win32' ? name.toUpperCase() : name)));
  if (doubled !== null) return failed(`The variable ${doubled} is set twice. Remove one of the two.`);
  const hiding = connection.env.find(({ name, value }) => value.kind === 'secret' && changesWhatRuns(name));
  if (hiding) return failed(`The variable ${hiding.name} changes what runs, so it cannot be a secret. Save it as a plain value.`);

  const args = resolveAll(connection.args, parts, (index) => `argument ${index + 1}`);
  if (!args.ok) return args;
  const configured = resolveAll(
    connection.env.map(({ value }) => value),
    parts,
    (index) => `the variable ${connection.env[index]?.name}`,
  );
  if (!configured.ok) return configured;

  const inherited = baseEnvironment(
    parts.hostEnv,
    connection.env.map(({ name }) => name),
  );
  const env: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const { name, value } of inherited) env[name] = value;
  for (const [index, { name }] of connection.env.entries()) env[name] = configured.value[index] ?? '';
  const path = Object.entries(env).find(
    ([name]) => name === 'PATH' || (process.platform === 'win32' && name.toUpperCase() === 'PATH'),
  );
  const found = await parts.findProgram(connection.command, { path: path?.[1] ?? '', cwd, home: parts.home });
  if (!found.ok) return failed(found.problem.message);
  const { realPath, foundPath, digest } = found.value;

  const fileDigests: (string | null)[] = [];
  for (const arg of args.value) fileDigests.push(await digestOfNamedFile(arg, cwd, parts));
  const approvedEnv: NamedValue[] = [
    ...inherited.map(({ name, value }) => ({ name, value: literal(name === NOT_APPROVED_BY_VALUE ? '' : value) })),
    ...connection.env,
  ];
  const form = launchCanonicalForm({
    transport: 'stdio',
    realPath,
    executableDigest: digest,
    args: connection.args.map((value, index) => ({ value, fileDigest: fileDigests[index] ?? null })),
    cwd,
    env: approvedEnv,
  });
  const plan: LaunchPlan = {
    kind: 'stdio',
    command: toVisibleText(connection.command),
    realPath: toVisibleText(realPath),
    args: connection.args.map(shown),
    cwd: toVisibleText(cwd),
    env: [
      ...connection.env.map(({ name, value }) => ({ name: toVisibleText(name), value: shown(value), from: 'entry' as const })),
      ...inherited.map(({ name, value }) => ({
        name: toVisibleText(name),
        value: shown(literal(value)),
        from: 'this-computer' as const,
      })),
    ],
    flags: flagLaunch({
      command: connection.command,
      realPath,
      args: connection.args.map((value) => (value.kind === 'secret' ? null : value.value)),
      envNames: connection.env.map(({ name }) => name),
    }),
  };
  const program: ProgramLaunch = { realPath, calledAs: foundPath, args: args.value, cwd, env };
  // The found path decides what a shim or a virtual environment does, so it is approved with the rest.
  return ok(frozen({ plan, fingerprint: fingerprintOf([form, foundPath], parts.key), start: { kind: 'stdio', program } }));
}

async function planAddress(connection: HttpConnection, parts: LaunchPlanParts): Promise<Result<FrozenLaunch, string>> {
  const checked = checkEndpoint(connection.endpoint);
  if (!checked.ok) return failed(ENDPOINT_ADVICE[checked.problem]);
  const values = resolveAll(
    connection.headers.map(({ value }) => value),
    parts,
    (index) => `the header ${connection.headers[index]?.name}`,
  );
  if (!values.ok) return values;
  const broken = connection.headers.find((_, index) => /[\0\r\n]/.test(values.value[index] ?? ''));
  if (broken) return failed(`The header ${broken.name} contains a line break. Enter its value again.`);

  const { address, host } = checked.value;
  const form = launchCanonicalForm({ transport: 'http', address, headers: connection.headers });
  return ok(
    frozen({
      plan: {
        kind: 'http',
        host,
        address: toVisibleText(address),
        headers: connection.headers.map(({ name, value }) => ({ name, value: shown(value) })),
        flags: [],
      },
      fingerprint: fingerprintOf([form], parts.key),
      start: {
        kind: 'http',
        address: {
          url: address,
          headers: connection.headers.map(({ name }, index) => ({ name, value: values.value[index] ?? '' })),
        },
      },
    }),
  );
}

function resolveAll(
  values: readonly StoredValue[],
  parts: LaunchPlanParts,
  nameOf: (index: number) => string,
): Result<string[], string> {
  const resolved: string[] = [];
  for (const [index, value] of values.entries()) {
    if (value.kind === 'literal') {
      resolved.push(value.value);
      continue;
    }
    const secret = parts.readSecret(value.ref);
    if (!secret.ok) {
      return failed(
        secret.problem === 'locked'
          ? `The secret for ${nameOf(index)} is locked. Unlock the keychain of this computer, then choose Retry.`
          : `The secret for ${nameOf(index)} is missing. Enter it again in the settings of this server.`,
      );
    }
    resolved.push(secret.value);
  }
  const nul = resolved.findIndex((value) => value.includes('\0'));
  return nul === -1
    ? ok(resolved)
    : failed(`The value of ${nameOf(nul)} contains a character that cannot be passed on. Enter it again.`);
}

/** `server.js`, `--config=server.json`, `-rhook.js`, `@options`, `file:///x.mjs` and `a.jar:b.jar` all name files whose content decides what happens. */
async function digestOfNamedFile(arg: string, cwd: string, parts: LaunchPlanParts): Promise<string | null> {
  const digests: string[] = [];
  for (const path of pathsIn(arg)) {
    const digest = await parts.digestIfWritable(resolve(cwd, path));
    if (digest !== null && !digests.includes(digest)) digests.push(digest);
  }
  return digests.length === 0 ? null : digests.join(' ');
}

function pathsIn(arg: string): Set<string> {
  const values = [arg, /^[^=]+=(.+)$/s.exec(arg)?.[1], /^-\w(.+)$/s.exec(arg)?.[1], /^@(.+)$/s.exec(arg)?.[1]];
  const paths = values.flatMap((value) => (value === undefined ? [] : [value, ...value.split(delimiter)]));
  return new Set(paths.filter((path) => path !== '').map((path) => (URL.canParse(path) ? pathOfFileUrl(path) : path)));
}

function pathOfFileUrl(text: string): string {
  try {
    return text.toLowerCase().startsWith('file:') ? fileURLToPath(text) : text;
  } catch {
    return text;
  }
}

const literal = (value: string): StoredValue => ({ kind: 'literal', value });

const shown = (value: StoredValue) =>
  value.kind === 'secret' ? { kind: 'secret' as const } : { kind: 'shown' as const, value: toVisibleText(value.value) };

const fingerprintOf = (parts: readonly string[], key: Buffer): string =>
  createHmac('sha256', key).update(JSON.stringify(parts)).digest('hex');

function firstDoubled(names: readonly string[]): string | null {
  return names.find((name, index) => names.indexOf(name) !== index) ?? null;
}

/** What was fingerprinted cannot be changed on its way to the start. */
function frozen(launch: FrozenLaunch): FrozenLaunch {
  freeze(launch);
  return launch;
}

function freeze(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  Object.values(value).forEach(freeze);
}
