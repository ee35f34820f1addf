import { isAbsolute } from 'node:path';
import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { findProgram } from './find-program';
import { startProgram } from './program';

/** How long a login shell has to read its start files and answer. */
export const SHELL_LOOKUP_MS = 10_000;
const MAX_OUTPUT_BYTES = 64 * 1024;
/** Start files print what they like; the answer is the line behind this one. */
const MARK = 'portcullis-looks-here';
// What a login gives a shell. Its start files set the rest, which is what is being asked for.
const LOGIN_VARIABLES = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TMPDIR', 'USER'];

/** No shell reads anything but a name in such a text. */
const PLAIN_NAME = /^[A-Za-z0-9_][A-Za-z0-9._+-]{0,127}$/;

export interface ShellLookupParts {
  hostEnv: Readonly<Record<string, string | undefined>>;
  home: string;
  clock: Clock;
}

/**
 * Asks the login shell of the user where a program lies, as a terminal would find it (W7). It runs the start files of that
 * shell, so it is called when the user pressed for it and at no other time.
 */
export async function lookInShell(command: string, parts: ShellLookupParts): Promise<Result<string, string>> {
  if (!PLAIN_NAME.test(command)) return failed('A shell can look for the name of a program alone. Enter a name without a path.');
  const shell = parts.hostEnv['SHELL'];
  if (process.platform === 'win32' || shell === undefined || !isAbsolute(shell)) {
    return failed('This computer names no login shell to look in. Enter the full path of the program.');
  }
  const env: Record<string, string> = {};
  for (const name of LOGIN_VARIABLES) {
    const value = parts.hostEnv[name];
    if (value !== undefined) env[name] = value;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  const started = await startProgram({
    realPath: shell,
    args: ['-i', '-l', '-c', `echo ${MARK}; command -v ${command}`],
    cwd: parts.home,
    env: { ...env, TERM: 'dumb' },
    onStdout(chunk) {
      bytes += chunk.length;
      if (bytes <= MAX_OUTPUT_BYTES) chunks.push(chunk);
    },
    onStderr: () => undefined,
  });
  if (!started.ok) return started;
  const program = started.value;
  program.endInput();
  let late = false;
  const cancel = parts.clock.after(SHELL_LOOKUP_MS, () => {
    late = true;
    void program.kill();
  });
  await program.exited;
  cancel();
  await program.stop();
  if (late) return failed(`${shell} did not answer in time. Enter the full path of the program.`);
  const lines = Buffer.concat(chunks).toString('utf8').split(/\r?\n/);
  const said = lines[lines.lastIndexOf(MARK) + 1]?.trim() ?? '';
  if (!lines.includes(MARK) || !isAbsolute(said)) {
    return failed(`${shell} knows no program named ${command} either. Install it, or enter its full path.`);
  }
  const found = await findProgram(said, { path: '', cwd: parts.home, home: parts.home });
  return found.ok ? ok(said) : failed(found.problem.message);
}
