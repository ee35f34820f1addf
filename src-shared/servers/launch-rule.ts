import type { LaunchFlag } from '../approvals/approval.schema';
import { flagProgram, type FlagSink } from './launch-flags';
import type { Connection, StoredValue, StoredVariable } from './server.schema';
import type { WireChoice } from './wire-choice.schema';

/** What a launch review remarks on (T1). */
export interface LaunchFacts {
  /** As typed in the entry. */
  command: string;
  /** The absolute real path found; the command once more while it is not known. */
  realPath: string;
  /** Null stands for an argument saved as a secret: its text is never judged, and never shown. */
  args: readonly (string | null)[];
  envNames: readonly string[];
}

/** Remarks, in words, on the parts of a command that run code, fetch whatever is newest, or change what runs (T1). */
export function flagLaunch(facts: LaunchFacts): LaunchFlag[] {
  const flags: LaunchFlag[] = [];
  const sink: FlagSink = {
    onCommand: (text) => void flags.push({ on: { kind: 'command' }, text }),
    onArgument: (index, text) => void flags.push({ on: { kind: 'argument', index }, text }),
  };
  flagProgram([facts.command, facts.realPath], facts.args, sink, changesWhatRuns);
  for (const name of facts.envNames) {
    if (changesWhatRuns(name)) {
      flags.push({
        on: { kind: 'variable', name },
        text: `${name} changes which code runs or where it connects, so its value is never hidden.`,
      });
    }
  }
  return flags.filter((flag, at) => flags.findIndex((other) => JSON.stringify(other) === JSON.stringify(flag)) === at);
}

const CHANGES_WHAT_RUNS: readonly RegExp[] = [
  /^NODE_(?:OPTIONS|PATH|EXTRA_CA_CERTS|TLS_REJECT_UNAUTHORIZED|REPL_EXTERNAL_MODULE|ICU_DATA)$/,
  /^(?:LD|DYLD|PYTHON|GIT|NPM_CONFIG|BASH_FUNC)_/,
  /^PYTHON/,
  /^(?:PATH|PATHEXT|COMSPEC|SHELL|ENV|IFS|PS4|PROMPT_COMMAND|ZDOTDIR|BASH_ENV|SHELLOPTS|BASHOPTS|EDITOR|VISUAL|PAGER)$/,
  /^(?:PERL5?(?:OPT|LIB|DB)|RUBY(?:OPT|LIB)|LUA_(?:INIT|PATH|CPATH).*|PHPRC|PHP_INI_SCAN_DIR|R_PROFILE(?:_USER)?)$/,
  /^(?:_JAVA_OPTIONS|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS|JAVA_OPTS|CLASSPATH|DOTNET_STARTUP_HOOKS|ELECTRON_RUN_AS_NODE)$/,
  /_PROXY$/,
  /^(?:SSL_CERT_FILE|SSL_CERT_DIR|SSLKEYLOGFILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE|OPENSSL_(?:CONF|MODULES|ENGINES)|GCONV_PATH|HOSTALIASES)$/,
  /^(?:PIP|UV)_(?:INDEX|INDEX_URL|EXTRA_INDEX_URL|DEFAULT_INDEX|CONFIG_FILE)$/,
  /^(?:DOCKER_HOST|DOCKER_CONFIG|DOCKER_CONTEXT)$/,
];

/** Names that decide which code runs or where it connects. Their values are never secret, so that a review can show them (T1, X8). */
export function changesWhatRuns(name: string): boolean {
  // Windows ignores case in names, npm and most HTTP clients everywhere.
  const upper = name.toUpperCase();
  return CHANGES_WHAT_RUNS.some((pattern) => pattern.test(upper));
}

export interface NamedValue {
  name: string;
  value: StoredVariable;
}

/** Everything an approval stands for (T2). `fileDigest` is that of a file the user can write, which the argument names. */
export type LaunchFormFacts =
  | {
      transport: 'stdio';
      realPath: string;
      /** Null when the user cannot write the executable. */
      executableDigest: string | null;
      args: readonly { value: StoredValue; fileDigest: string | null }[];
      cwd: string;
      env: readonly NamedValue[];
      inputs?: Inputs;
    }
  | {
      transport: 'http';
      address: string;
      headers: readonly NamedValue[];
      inputs?: Inputs;
      /** How it is spoken to, where the user chose that. */
      protocol?: WireChoice['protocol'] | undefined;
    };

type Inputs = readonly { key: string; value: StoredValue }[] | undefined;

/**
 * The text that fingerprints are made over (T2). Two launches have the same text only when every part is the same:
 * each part is a JSON string of its own, so moving a boundary between two of them changes the text.
 */
export function launchCanonicalForm(facts: LaunchFormFacts): string {
  const parts =
    facts.transport === 'stdio'
      ? [
          ['program', facts.realPath, facts.executableDigest],
          ['args', ...facts.args.map(({ value, fileDigest }) => [...valueForm(value), fileDigest])],
          ['cwd', facts.cwd],
          ['env', ...namedForm(facts.env)],
        ]
      : [
          ['address', facts.address],
          ['headers', ...namedForm(facts.headers)],
          ...(facts.protocol === undefined || facts.protocol === 'auto' ? [] : [['protocol', facts.protocol]]),
        ];
  const inputs = namedForm((facts.inputs ?? []).map(({ key, value }) => ({ name: key, value })));
  return JSON.stringify(['launch-1', facts.transport, ...parts, ...(inputs.length === 0 ? [] : [['inputs', ...inputs]])]);
}

/** What a review remarks on a transport chosen by hand. */
export function flagTransport(protocol: WireChoice['protocol'] | undefined): LaunchFlag[] {
  if (protocol === undefined || protocol === 'auto') return [];
  const text =
    protocol === 'sse' ? 'Spoken to over HTTP+SSE, as you chose.' : 'Spoken to over Streamable HTTP alone, as you chose.';
  return [{ on: { kind: 'command' }, text }];
}

/** The same list as far as an entry alone tells it: an edit that changes this text changed what was consented to (S3). */
export function connectionForm(connection: Connection): string {
  if (connection.kind === 'http') {
    const { endpoint, headers, inputs } = connection;
    return launchCanonicalForm({ transport: 'http', address: endpoint, headers, ...(inputs && { inputs }) });
  }
  return launchCanonicalForm({
    transport: 'stdio',
    realPath: connection.command,
    executableDigest: null,
    args: connection.args.map((value) => ({ value, fileDigest: null })),
    // A folder is never the empty text, so a missing one cannot be taken for any other.
    cwd: connection.cwd ?? '',
    env: connection.env,
    ...(connection.inputs && { inputs: connection.inputs }),
  });
}

function valueForm(value: StoredVariable): string[] {
  switch (value.kind) {
    case 'secret':
      return ['secret', value.ref];
    case 'literal':
      return ['literal', value.value];
    case 'inherit':
      return ['inherit'];
  }
}

// The order of variables and headers decides nothing, except between two of one name.
const namedForm = (values: readonly NamedValue[]): string[][] =>
  values
    .map(({ name, value }) => [name, ...valueForm(value)])
    .sort(([one = ''], [other = '']) => (one < other ? -1 : one > other ? 1 : 0));
