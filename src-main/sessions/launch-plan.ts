import { createHmac } from 'node:crypto';
import { resolve } from 'node:path';
import type { LaunchFlag, LaunchPlan } from '../../src-shared/approvals/approval.schema';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { toVisibleText } from '../../src-shared/base/visible-text';
import { expandAddress } from '../../src-shared/servers/address-template';
import {
  changesWhatRuns,
  flagLaunch,
  flagTransport,
  launchCanonicalForm,
  type NamedValue,
} from '../../src-shared/servers/launch-rule';
import type { HttpConnection, SecretRef, ServerConfig, StdioConnection } from '../../src-shared/servers/server.schema';
import type { WireChoice } from '../../src-shared/servers/wire-choice.schema';
import { holdsVariable, readTemplate, hidesValue, type VariablePlace } from '../../src-shared/servers/variables-rule';
import type { findProgram } from '../processes/find-program';
import type { ProgramStart } from '../processes/program';
import { baseEnvironment } from './base-environment';
import { type FilledIn, LaunchVariables } from './launch-variables';
import { digestOfNamedFile } from './named-files';

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
  /** Values of variables that are masked like secrets from now on (S5, S6). */
  readonly hidden?: readonly string[];
  readonly start:
    { readonly kind: 'stdio'; readonly program: ProgramLaunch } | { readonly kind: 'http'; readonly address: AddressLaunch };
}

export interface LaunchPlanParts {
  findProgram: typeof findProgram;
  digestIfWritable(path: string): Promise<string | null>;
  readSecret(ref: SecretRef): Result<string, 'missing' | 'locked'>;
  hostEnv: Readonly<Record<string, string | undefined>>;
  home: string;
  /** Another user of this computer who listens on a loopback port, by number (E7). */
  foreignListener?(port: number): Promise<number | null>;
  /** The HMAC key of launch fingerprints. */
  key: Buffer;
}

/** Describes the terminal the app was started from, if any: told, but no part of what is approved. */
const NOT_APPROVED_BY_VALUE = 'TERM';

/** Works out exactly what an entry would run or contact now. Starts nothing and contacts nothing (T1, T2). */
export function planLaunch(config: ServerConfig, parts: LaunchPlanParts): Promise<Result<FrozenLaunch, string>> {
  const { connection, wire } = config;
  return connection.kind === 'stdio' ? planProgram(connection, parts) : planAddress(connection, wire?.protocol, parts);
}

async function planProgram(connection: StdioConnection, parts: LaunchPlanParts): Promise<Result<FrozenLaunch, string>> {
  const doubled = firstDoubled(connection.env.map(({ name }) => (process.platform === 'win32' ? name.toUpperCase() : name)));
  if (doubled !== null) return failed(`The variable ${doubled} is set twice. Remove one of the two.`);
  const hiding = connection.env.find(({ name, value }) => value.kind === 'secret' && changesWhatRuns(name));
  if (hiding) return failed(`The variable ${hiding.name} changes what runs, so it cannot be a secret. Save it as a plain value.`);

  const variables = new LaunchVariables(connection, parts);
  const command = variables.fillText(connection.command, { kind: 'command' });
  if (!command.ok) return command;
  const folder = variables.fillText(connection.cwd ?? '.', { kind: 'folder' });
  if (!folder.ok) return folder;
  const cwd = resolve(parts.home, folder.value.text);
  const args = fillAll(connection.args, (value, index) => variables.fillValue(value, { kind: 'argument', index }));
  if (!args.ok) return args;
  const configured = fillAll(connection.env, ({ name, value }) => variables.fillValue(value, { kind: 'variable', name }));
  if (!configured.ok) return configured;
  const nul = nulIn(args.value, (index) => `argument ${index + 1}`);
  const broken = nul ?? nulIn(configured.value, (index) => `the variable ${connection.env[index]?.name}`);
  if (broken !== null) return failed(broken);

  const inherited = baseEnvironment(
    parts.hostEnv,
    connection.env.map(({ name }) => name),
  );
  const env: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const { name, value } of inherited) env[name] = value;
  for (const [index, { name }] of connection.env.entries()) env[name] = configured.value[index]?.text ?? '';
  const path = Object.entries(env).find(
    ([name]) => name === 'PATH' || (process.platform === 'win32' && name.toUpperCase() === 'PATH'),
  );
  const found = await parts.findProgram(command.value.text, { path: path?.[1] ?? '', cwd, home: parts.home });
  if (!found.ok) return failed(found.problem.message);
  const { realPath, foundPath, digest } = found.value;

  const fileDigests: (string | null)[] = [];
  for (const { text } of args.value) fileDigests.push(await digestOfNamedFile(text, cwd, parts));
  const approvedEnv: NamedValue[] = [
    ...inherited.map(({ name, value }) => ({
      name,
      value: { kind: 'literal' as const, value: name === NOT_APPROVED_BY_VALUE ? '' : value },
    })),
    ...connection.env,
  ];
  const form = launchCanonicalForm({
    transport: 'stdio',
    realPath,
    executableDigest: digest,
    args: connection.args.map((value, index) => ({ value, fileDigest: fileDigests[index] ?? null })),
    cwd,
    env: approvedEnv,
    ...(connection.inputs && { inputs: connection.inputs }),
  });
  const plan: LaunchPlan = {
    kind: 'stdio',
    command: toVisibleText(command.value.text),
    realPath: toVisibleText(realPath),
    args: args.value.map(({ shown }) => shown),
    cwd: toVisibleText(cwd),
    env: [
      ...connection.env.map(({ name, value }, index) => ({
        name: toVisibleText(name),
        value: configured.value[index]?.shown ?? { kind: 'secret' as const },
        from: value.kind === 'inherit' ? ('this-computer' as const) : ('entry' as const),
      })),
      ...inherited.map(({ name, value }) => ({
        name: toVisibleText(name),
        value: { kind: 'shown' as const, value: toVisibleText(value) },
        from: 'this-computer' as const,
      })),
    ],
    flags: flagLaunch({
      command: command.value.text,
      realPath,
      args: connection.args.map((value, index) => judgedText(value, args.value[index]?.text ?? '', { kind: 'argument', index })),
      envNames: connection.env.map(({ name }) => name),
    }),
    ...(variables.listed.length > 0 && { variables: variables.listed }),
  };
  const program: ProgramLaunch = { realPath, calledAs: foundPath, args: args.value.map(({ text }) => text), cwd, env };
  // The found path decides what a shim or a virtual environment does, so it is approved with the rest.
  const fingerprint = fingerprintOf([form, foundPath, ...usedForm(variables)], parts.key);
  return ok(frozen({ plan, fingerprint, hidden: variables.hidden, start: { kind: 'stdio', program } }));
}

async function planAddress(
  connection: HttpConnection,
  protocol: WireChoice['protocol'] | undefined,
  parts: LaunchPlanParts,
): Promise<Result<FrozenLaunch, string>> {
  const variables = new LaunchVariables(connection, parts);
  const expanded = expandAddress(connection.endpoint, variables.lookUp);
  if (!expanded.ok) return expanded;
  const { checked, origin, rest } = expanded.value;
  variables.note(origin, { kind: 'origin' });
  variables.note(rest, { kind: 'address' });
  const values = fillAll(connection.headers, ({ name, value }) => variables.fillValue(value, { kind: 'header', name }));
  if (!values.ok) return values;
  const broken = connection.headers.find((_, index) => /[\0\r\n]/.test(values.value[index]?.text ?? ''));
  if (broken) return failed(`The header ${broken.name} contains a line break. Enter its value again.`);

  const { address, host, leaves, url } = checked;
  const stranger = leaves
    ? null
    : ((await parts.foreignListener?.(Number(url.port || (url.protocol === 'https:' ? 443 : 80)))) ?? null);
  // Whoever takes the port later is not who the approval was for (X16).
  const strangers = stranger === null ? [] : [`listener ${stranger}`];
  const form = launchCanonicalForm({
    transport: 'http',
    address: holdsVariable(connection.endpoint) ? connection.endpoint : address,
    headers: connection.headers,
    protocol,
    ...(connection.inputs && { inputs: connection.inputs }),
  });
  return ok(
    frozen({
      plan: {
        kind: 'http',
        host,
        address: toVisibleText(shownAddress(connection.endpoint, address, checked.url.origin)),
        headers: connection.headers.map(({ name }, index) => ({
          name,
          value: values.value[index]?.shown ?? { kind: 'secret' as const },
        })),
        flags: [...flagLoopback({ leaves, isPlain: url.protocol === 'http:', stranger }, connection), ...flagTransport(protocol)],
        ...(variables.listed.length > 0 && { variables: variables.listed }),
      },
      fingerprint: fingerprintOf([form, ...usedForm(variables), ...strangers], parts.key),
      hidden: variables.hidden,
      start: {
        kind: 'http',
        address: {
          url: address,
          headers: connection.headers.map(({ name }, index) => ({ name, value: values.value[index]?.text ?? '' })),
        },
      },
    }),
  );
}

/** What is remarkable about an address on this computer (E7). */
function flagLoopback(
  { leaves, isPlain, stranger }: { leaves: boolean; isPlain: boolean; stranger: number | null },
  { headers, endpoint, inputs = [] }: HttpConnection,
): LaunchFlag[] {
  if (leaves) return [];
  const flags: LaunchFlag[] = [];
  if (stranger !== null) {
    flags.push({
      on: { kind: 'command' },
      text: `The program that listens there belongs to another user of this computer (user number ${stranger}). It receives what you allow.`,
    });
  }
  if (!isPlain) return flags;
  if (inputs.length > 0 || holdsVariable(endpoint)) {
    flags.push({ on: { kind: 'command' }, text: SECRET_IN_PLAIN });
  }
  for (const { name, value } of headers) {
    const holds = value.kind === 'secret' || (value.kind === 'literal' && holdsHidden(value.value, { kind: 'header', name }));
    if (holds) flags.push({ on: { kind: 'variable', name }, text: SECRET_IN_PLAIN });
  }
  return flags;
}

const SECRET_IN_PLAIN = 'This secret goes without encryption to whatever program listens there.';

/** The address whole, but for hidden values: their names stand there (E6, S6). */
function shownAddress(template: string, address: string, origin: string): string {
  const pieces = readTemplate(template);
  if (!pieces.some(({ kind }) => kind === 'variable')) return address;
  const [first, ...others] = pieces;
  if (first?.kind !== 'variable') return template;
  return `${origin}${others.map(({ raw }) => raw).join('')}`;
}

/** What is judged of an argument: nothing of a secret, and nothing that a hidden variable put there (T1). */
function judgedText(value: StdioConnection['args'][number], text: string, place: VariablePlace): string | null {
  if (value.kind === 'secret') return null;
  return holdsHidden(value.value, place) ? value.value : text;
}

const holdsHidden = (text: string, place: VariablePlace): boolean =>
  readTemplate(text).some((piece) => piece.kind === 'variable' && hidesValue(piece.reference, place));

const usedForm = ({ approved }: LaunchVariables): string[] => (approved.length === 0 ? [] : [JSON.stringify(approved)]);

function fillAll<V>(
  values: readonly V[],
  fill: (value: V, index: number) => Result<FilledIn, string>,
): Result<FilledIn[], string> {
  const filled: FilledIn[] = [];
  for (const [index, value] of values.entries()) {
    const one = fill(value, index);
    if (!one.ok) return one;
    filled.push(one.value);
  }
  return ok(filled);
}

function nulIn(values: readonly FilledIn[], nameOf: (index: number) => string): string | null {
  const at = values.findIndex(({ text }) => text.includes('\0'));
  return at === -1 ? null : `The value of ${nameOf(at)} contains a character that cannot be passed on. Enter it again.`;
}

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
