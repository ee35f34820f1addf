import { flagContainer, flagPackageRunner, flagPythonRunner, type Args } from './launch-runners';

export interface FlagSink {
  onCommand(text: string): void;
  onArgument(index: number, text: string): void;
}

/** Starts another program that its arguments name. The number says how many plain arguments stand before that name. */
const LAUNCHERS: Readonly<Record<string, number>> = {
  ...{ env: 0, sudo: 0, doas: 0, nice: 0, nohup: 0, setsid: 0, stdbuf: 0, time: 0, command: 0, exec: 0, busybox: 0, xargs: 0 },
  ...{ ionice: 0, unbuffer: 0, dotenv: 0, 'cross-env': 0, direnv: 2, timeout: 1, chroot: 1, taskset: 1, proot: 0, firejail: 0 },
  ...{ start: 0, wsl: 0, 'dbus-run-session': 0, 'xvfb-run': 0, 'systemd-run': 0, caffeinate: 0, mise: 1, nix: 1 },
};

const RAISES_RIGHTS: readonly string[] = ['sudo', 'doas', 'pkexec', 'su', 'runas'];

interface CodeOptions {
  /** Options whose value is code. */
  readonly code: RegExp;
  /** Options that load a file or module before anything else. */
  readonly loads?: RegExp;
}

const SHELL: CodeOptions = { code: /^(?:-[a-z]*[cs][a-z]*|--command(?:=.*)?)$/i, loads: /^--(?:rcfile|init-file)(?:=.*)?$/ };

const INTERPRETERS: Readonly<Record<string, CodeOptions>> = {
  ...Object.fromEntries(
    ['sh', 'bash', 'zsh', 'dash', 'ash', 'ksh', 'mksh', 'fish', 'csh', 'tcsh', 'rbash', 'nu', 'xonsh'].map((name) => [
      name,
      SHELL,
    ]),
  ),
  node: {
    code: /^(?:-[a-z]*[ep][a-z]*|--eval(?:=.*)?|--print(?:=.*)?|-)$/,
    loads: /^(?:-r|--require|--import|--loader|--experimental-loader|--env-file)(?:=.*)?$/,
  },
  bun: { code: /^(?:-e|-p|--eval|--print|-)(?:=.*)?$/, loads: /^(?:-r|--preload)(?:=.*)?$/ },
  tsx: { code: /^(?:-e|-p|--eval|--print|-)(?:=.*)?$/, loads: /^(?:-r|--require|--import)(?:=.*)?$/ },
  'ts-node': { code: /^(?:-e|-p|--eval|--print|-)(?:=.*)?$/, loads: /^(?:-r|--require)(?:=.*)?$/ },
  deno: { code: /^eval$/ },
  python: { code: /^-(?:[a-zA-Z]*c.*)?$/ },
  perl: { code: /^-(?:[a-zA-Z0-9]*[eE].*)?$/, loads: /^-[mM].+$/ },
  ruby: { code: /^-(?:[a-z]*e.*)?$/, loads: /^-r.+$/ },
  php: { code: /^(?:-[rBRE].*|--run|--process-(?:begin|code|end)|-)$/ },
  lua: { code: /^-(?:e.*)?$/, loads: /^-l/ },
  rscript: { code: /^(?:-e|--expr=.*)$/ },
  osascript: { code: /^(?:-e|-)$/ },
  powershell: { code: /^[-/](?:c|command|e|ec|enc[a-z]*|f)$/i },
  cmd: { code: /^\/[ckr].*$/i },
  su: { code: /^(?:-c|--command(?:=.*)?)$/ },
  script: { code: /^(?:-[a-z]*c|--command(?:=.*)?)$/ },
  julia: { code: /^(?:-[eE]|--eval|--print)$/ },
  elixir: { code: /^(?:-e|--eval)$/ },
  awk: { code: /^[^-].*$/ },
};

const RUNNERS: Readonly<Record<string, (args: Args, sink: FlagSink) => void>> = {
  npx: (args, sink) => flagPackageRunner('npx', args, 0, sink),
  pnpx: (args, sink) => flagPackageRunner('pnpx', args, 0, sink),
  bunx: (args, sink) => flagPackageRunner('bunx', args, 0, sink),
  npm: (args, sink) => flagAfter(args, ['exec', 'x'], (start) => flagPackageRunner('npm exec', args, start, sink)),
  pnpm: (args, sink) => flagAfter(args, ['dlx'], (start) => flagPackageRunner('pnpm dlx', args, start, sink)),
  yarn: (args, sink) => flagAfter(args, ['dlx'], (start) => flagPackageRunner('yarn dlx', args, start, sink)),
  bun: (args, sink) => flagAfter(args, ['x'], (start) => flagPackageRunner('bun x', args, start, sink)),
  uvx: (args, sink) => flagPythonRunner('uvx', args, 0, sink),
  uv: (args, sink) =>
    flagAfter(args, ['run'], (start) => flagPythonRunner(args.includes('tool') ? 'uv tool run' : 'uv run', args, start, sink)),
  pipx: (args, sink) => flagAfter(args, ['run'], (start) => flagPythonRunner('pipx run', args, start, sink)),
};

const CONTAINERS: readonly string[] = ['docker', 'podman', 'nerdctl'];

/** `names` are the command as typed and its real path: a link called `helper` that leads to a shell is still a shell. */
export function flagProgram(
  names: readonly string[],
  args: Args,
  sink: FlagSink,
  changesWhatRuns: (name: string) => boolean,
): void {
  const seen = new Set<CodeOptions>();
  for (const program of new Set(names.map(programName))) {
    if (RAISES_RIGHTS.includes(program)) sink.onCommand(`${program} starts a program with the rights of another user.`);
    if (program === 'ssh') sink.onCommand('ssh connects to another computer and runs a command there.');
    if (Object.hasOwn(LAUNCHERS, program)) flagLaunched(program, args, sink, changesWhatRuns);
    const options = Object.hasOwn(INTERPRETERS, program) ? INTERPRETERS[program] : undefined;
    // `sh` that leads to `dash` is one shell, and gets one remark.
    if (options && !seen.has(options)) flagCode(program, options, args, sink);
    if (options) seen.add(options);
    if (Object.hasOwn(RUNNERS, program)) RUNNERS[program]?.(args, sink);
    if (CONTAINERS.includes(program)) {
      const image = flagContainer(program, args, sink);
      const inner = args[image + 1];
      if (image >= 0 && inner) flagProgram([inner], args.slice(image + 2), behind(image + 1, sink), changesWhatRuns);
    }
  }
}

/** `/usr/bin/python3.11` and `PYTHON.EXE` are both python. */
function programName(path: string): string {
  const base = (path.split(/[/\\]/).at(-1) ?? '').toLowerCase();
  const bare = base.replace(/\.(?:exe|cmd|bat|ps1|com)$/, '').replace(/-cli\.[cm]?js$/, '');
  if (/^(?:pypy|python)w?[\d.]*$/.test(bare)) return 'python';
  if (/^(?:pwsh|powershell)(?:-preview)?$/.test(bare)) return 'powershell';
  if (/^[gmn]?awk$/.test(bare)) return 'awk';
  if (bare === 'nodejs') return 'node';
  return bare.replace(/(?<=[a-z])-?[\d.]+$/, '');
}

function flagLaunched(program: string, args: Args, sink: FlagSink, changesWhatRuns: (name: string) => boolean): void {
  sink.onCommand(`${program} starts another program, which its arguments name.`);
  let skip = LAUNCHERS[program] ?? 0;
  for (const [index, arg] of args.entries()) {
    if (arg === null) continue;
    const assigned = /^([^=\s-][^=\s]*)=/.exec(arg)?.[1];
    if (assigned !== undefined) {
      if (changesWhatRuns(assigned)) sink.onArgument(index, `${assigned} changes which code runs or where it connects.`);
      continue;
    }
    if (/^(?:-S|--split-string)/.test(arg)) sink.onArgument(index, `${program} splits this text and runs it as a command.`);
    if (arg.startsWith('-')) continue;
    if (skip-- > 0) continue;
    // Behind an option that takes a value this is a guess, so the search goes on: one remark too many does no harm.
    flagProgram([arg], args.slice(index + 1), behind(index, sink), changesWhatRuns);
    if (!args[index - 1]?.startsWith('-')) return;
  }
}

/** Remarks on a command line that begins at the argument `index` of another. */
const behind = (index: number, sink: FlagSink): FlagSink => ({
  onCommand: (text) => sink.onArgument(index, text),
  onArgument: (at, text) => sink.onArgument(index + 1 + at, text),
});

function flagCode(program: string, { code, loads }: CodeOptions, args: Args, sink: FlagSink): void {
  for (const [index, arg] of args.entries()) {
    if (arg === null) continue;
    if (code.test(arg)) sink.onArgument(index, `Makes ${program} run code from the command line itself, not from a file.`);
    if (loads?.test(arg)) sink.onArgument(index, `Makes ${program} load other code before the program.`);
    if (/^https?:\/\//i.test(arg) && (program === 'deno' || program === 'bun'))
      sink.onArgument(index, `${program} fetches this address and runs what it gets.`);
    if (arg === 'run' && (program === 'deno' || program === 'bun')) continue;
    // From the program file on, the arguments are the program's own. Behind an option it is not known whether this is its value.
    if (!isOption(arg) && (index === 0 || !isOption(args[index - 1]) || args[index - 1] === '--')) return;
  }
}

const isOption = (arg: string | null | undefined): boolean =>
  arg === null || (arg !== undefined && /^[-+/]./.test(arg) && !/^\/.*\//.test(arg));

function flagAfter(args: Args, words: readonly string[], flag: (start: number) => void): void {
  const at = args.findIndex((arg) => arg !== null && words.includes(arg));
  if (at >= 0) flag(at + 1);
}
