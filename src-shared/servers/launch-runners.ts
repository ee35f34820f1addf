/** Arguments as a review sees them; null is one saved as a secret. */
export type Args = readonly (string | null)[];

interface ArgumentSink {
  onArgument(index: number, text: string): void;
}

const NPM_VALUE_OPTIONS: readonly string[] = [
  ...[
    '-p',
    '--package',
    '-c',
    '--call',
    '--registry',
    '--prefix',
    '--userconfig',
    '--globalconfig',
    '-w',
    '--workspace',
    '--cache',
  ],
  ...['--loglevel', '--node-options', '-n', '--node-arg', '--script-shell', '--shell'],
];

/** npx and its kin: they fetch a package and run it. */
export function flagPackageRunner(runner: string, args: Args, start: number, sink: ArgumentSink): void {
  let packageNamed = false;
  for (let index = start; index < args.length; index++) {
    const arg = args[index];
    if (arg === null || arg === undefined) continue;
    const [option, inline] = splitOption(arg);
    if (!arg.startsWith('-')) {
      if (!packageNamed) flagPackage(runner, arg, index, sink);
      return;
    }
    const takesNext = inline === null && NPM_VALUE_OPTIONS.includes(option);
    const value = inline ?? (takesNext ? (args[index + 1] ?? null) : null);
    if (option === '-c' || option === '--call') sink.onArgument(index, `Makes ${runner} run a line of shell code.`);
    if (/^--(?:registry|userconfig|globalconfig)$/.test(option))
      sink.onArgument(index, `Makes ${runner} fetch packages from another place.`);
    if (/^(?:-n|--node-(?:options|arg)|--script-shell|--shell)$/.test(option))
      sink.onArgument(index, `Changes how ${runner} runs the package.`);
    if (option === '-p' || option === '--package') {
      packageNamed = true;
      if (value !== null) flagPackage(runner, value, takesNext ? index + 1 : index, sink);
    }
    if (takesNext) index++;
  }
}

function flagPackage(runner: string, spec: string, index: number, sink: ArgumentSink): void {
  if (/^(?:\.{0,2}[/\\]|~|file:|[a-z]:[/\\])/i.test(spec)) return;
  if (/^[a-z+]+:/i.test(spec) || /^[^@/]+\/[^@]/.test(spec)) {
    sink.onArgument(index, `${runner} fetches this from an address, and runs what it finds there each time.`);
    return;
  }
  const version = /^(?:@[^/]+\/)?[^@]+@(.+)$/.exec(spec)?.[1];
  if (version !== undefined && /^v?\d+\.\d+\.\d+(?:[-+][0-9a-z.+-]+)?$/i.test(version)) return;
  sink.onArgument(index, 'No fixed version: what runs can change without a word.');
}

const UV_VALUE_OPTIONS: readonly string[] = [
  ...[
    '--from',
    '--with',
    '--with-editable',
    '--with-requirements',
    '--python',
    '-p',
    '--index',
    '--index-url',
    '--extra-index-url',
  ],
  ...[
    '--default-index',
    '-i',
    '--find-links',
    '-f',
    '--directory',
    '--project',
    '--env-file',
    '--cache-dir',
    '--spec',
    '--pip-args',
    '--extra',
    '--group',
  ],
];

/** uvx and its kin. */
export function flagPythonRunner(runner: string, args: Args, start: number, sink: ArgumentSink): void {
  let packageNamed = runner === 'uv run';
  for (let index = start; index < args.length; index++) {
    const arg = args[index];
    if (arg === null || arg === undefined) continue;
    if (!arg.startsWith('-')) {
      if (runner === 'uv run' && /^https?:/i.test(arg))
        sink.onArgument(index, `${runner} fetches this address and runs what it gets.`);
      if (!packageNamed) flagPythonPackage(runner, arg, index, sink);
      return;
    }
    const [option, inline] = splitOption(arg);
    const takesNext = inline === null && UV_VALUE_OPTIONS.includes(option);
    const value = inline ?? (takesNext ? (args[index + 1] ?? null) : null);
    if (/^(?:-i|-f|--find-links|--(?:extra-|default-)?index(?:-url)?)$/.test(option))
      sink.onArgument(index, `Makes ${runner} fetch packages from another place.`);
    if (/^--(?:from|with|spec)$/.test(option)) {
      if (option !== '--with') packageNamed = true;
      if (value !== null) flagPythonPackage(runner, value, takesNext ? index + 1 : index, sink);
    }
    if (takesNext) index++;
  }
}

function flagPythonPackage(runner: string, spec: string, index: number, sink: ArgumentSink): void {
  if (/^(?:\.{0,2}[/\\]|~|file:|[a-z]:[/\\])/i.test(spec)) return;
  if (/^[a-z+]+:\/\//i.test(spec) || /@\s*[a-z+]+:\/\//i.test(spec)) {
    sink.onArgument(index, `${runner} fetches this from an address, and runs what it finds there each time.`);
    return;
  }
  if (/^[^=@]+(?:==|@)\d+(?:\.\d+)+[0-9a-z.+-]*$/i.test(spec)) return;
  sink.onArgument(index, 'No fixed version: what runs can change without a word.');
}

const CONTAINER_SWITCHES =
  /^--(?:rm|init|interactive|tty|detach|privileged|read-only|publish-all|no-healthcheck|oom-kill-disable|quiet|help|replace|sig-proxy|disable-content-trust)$/;
const WIDE_OPEN: Readonly<Record<string, string>> = {
  '--privileged': 'Gives the container the rights of this whole computer.',
  '--cap-add': 'Gives the container more rights than it has by itself.',
  '--device': 'Gives the container a device of this computer.',
  '--security-opt': 'Loosens what keeps the container apart from this computer.',
  '--entrypoint': 'Runs another program of the image than the one it is made for.',
  '--env-file': 'Reads variables from a file that this review does not show.',
};
const HOST_SHARING: Readonly<Record<string, string>> = {
  '--pid': 'Lets the container see and end the programs of this computer.',
  '--network': 'Lets the container use the network as this computer, loopback too.',
  '--net': 'Lets the container use the network as this computer, loopback too.',
  '--ipc': 'Lets the container share memory with the programs of this computer.',
  '--userns': 'Lets the container act as the users of this computer.',
  '--uts': 'Lets the container change the name of this computer.',
};

/** docker and its kin. Says where the image stands, since what follows it is a command line of its own; -1 when nothing is run. */
export function flagContainer(program: string, args: Args, sink: ArgumentSink): number {
  const verb = args.findIndex((arg) => arg === 'run' || arg === 'create');
  const before = verb < 0 ? args.length : verb;
  for (const [index, arg] of args.slice(0, before).entries()) {
    if (arg !== null && /^(?:-H.*|--(?:host|context|url|connection)(?:=.*)?)$/.test(arg))
      sink.onArgument(index, `${program} works on another computer or service.`);
  }
  if (verb < 0) return -1;
  for (let index = verb + 1; index < args.length; index++) {
    const arg = args[index];
    if (arg === null || arg === undefined) continue;
    if (!arg.startsWith('-')) {
      flagImage(arg, index, sink);
      return index;
    }
    const [option, inline] = containerOption(arg);
    const takesNext = inline === null;
    const value = inline ?? args[index + 1] ?? '';
    const said = WIDE_OPEN[option] ?? (value.startsWith('host') ? HOST_SHARING[option] : undefined);
    if (said !== undefined && value !== 'false') sink.onArgument(index, said);
    if (option === '-v' || option === '--volume' || option === '--mount') flagMount(value, takesNext ? index + 1 : index, sink);
    if (takesNext) index++;
  }
  return -1;
}

/** Null where the value is the next argument. Short ones come in bunches and glued to their value: `-it`, `-itv/:/host`, `-e=A=1`. */
function containerOption(arg: string): [option: string, value: string | null] {
  const short = /^-([ditPq]*)(?:([^-ditPq])=?(.*))?$/s.exec(arg);
  if (short) return short[2] === undefined ? [arg, ''] : [`-${short[2]}`, short[3] || null];
  return CONTAINER_SWITCHES.test(arg) ? [arg, ''] : splitOption(arg);
}

function flagMount(value: string, index: number, sink: ArgumentSink): void {
  const source = /(?:^|,)(?:source|src)=([^,]*)/.exec(value)?.[1] ?? (value.includes('=') ? '' : (value.split(':')[0] ?? ''));
  const tidy = source.replace(/\/(?:\.?\/)*(?:\.)?$/, '') || (source.startsWith('/') ? '/' : '');
  if (tidy === '/' || /^[a-z]:?\\?$/i.test(source) || /(?:^|\/)\.\.(?:\/|$)/.test(source))
    sink.onArgument(index, 'Gives the container every file of this computer.');
  else if (/^(?:~|\$HOME|\$\{HOME\}|\/root|\/(?:home|Users)(?:\/[^/]+)?|\/(?:etc|var|usr|proc|sys|dev|boot|run))$/.test(tidy)) {
    sink.onArgument(index, 'Gives the container a folder that much of this computer rests on.');
  } else if (/\.sock$/.test(tidy)) sink.onArgument(index, 'Gives the container a way to command a program of this computer.');
}

function flagImage(image: string, index: number, sink: ArgumentSink): void {
  if (/@sha256:[0-9a-f]{64}$/i.test(image)) return;
  const tag = /:([^:/]+)$/.exec(image)?.[1];
  if (tag === undefined || tag === 'latest') sink.onArgument(index, 'No fixed version: what runs can change without a word.');
}

function splitOption(arg: string): [option: string, value: string | null] {
  const at = arg.indexOf('=');
  return arg.startsWith('--') && at > 0 ? [arg.slice(0, at), arg.slice(at + 1)] : [arg, null];
}
