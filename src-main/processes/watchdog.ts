import { type ChildProcess, spawn } from 'node:child_process';
import { RUN_MARKER } from './process-group';

/** A watchdog that dies sooner than this is not started again: something on this computer does not let it run. */
const WORTH_RESTARTING_MS = 1_000;

/** Reads "add MARKER GROUP" and "drop MARKER". The end of its input means that the app is gone, however it went. */
export const WATCHDOG_SCRIPT = `
trap '' HUP INT TERM PIPE
runs=
without() {
  kept=
  for run in $runs; do
    case $run in "$1":*) ;; *) kept="$kept $run" ;; esac
  done
  runs=$kept
}
send() {
  for run in $runs; do
    group=\${run#*:}
    if [ "$group" -gt 1 ]; then kill -s "$1" -- "-$group"; fi
    for file in $(grep -lsF "${RUN_MARKER}=\${run%%:*}" /proc/[0-9]*/environ); do
      pid=\${file#/proc/}
      kill -s "$1" -- "\${pid%/environ}"
    done
  done
}
while read -r verb marker group; do
  without "$marker"
  if [ "$verb" = add ]; then runs="$runs $marker:$group"; fi
done
if [ -n "$runs" ]; then
  send TERM
  sleep 1
  send KILL
  sleep 1
  send KILL
fi
`;

/** Ends what was started here when this process dies by any cause, SIGKILL included (W5). Runs only while programs run. */
export class Watchdog {
  /** Marker to group; 0 until the group is known. */
  readonly #runs = new Map<string, number>();
  #shell: ChildProcess | null = null;

  /** Called before the program exists, so that no moment is unguarded; called again once its group is known. */
  watch(marker: string, group = 0): void {
    this.#runs.set(marker, group);
    if (this.#shell) this.#tell(`add ${marker} ${group}`);
    else this.#start();
  }

  drop(marker: string): void {
    if (!this.#runs.delete(marker)) return;
    this.#tell(`drop ${marker}`);
    if (this.#runs.size > 0) return;
    this.#shell?.stdin?.end();
    this.#shell = null;
  }

  get pid(): number | null {
    return this.#shell?.pid ?? null;
  }

  #start(): void {
    if (process.platform === 'win32') return;
    const startedAt = performance.now();
    // A session of its own: what ends our group or our terminal leaves it standing.
    const shell = spawn('/bin/sh', ['-c', WATCHDOG_SCRIPT], {
      detached: true,
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#shell = shell;
    shell.unref();
    shell.stdin?.on('error', () => undefined);
    shell.on('error', () => undefined);
    shell.on('exit', () => {
      if (this.#shell !== shell) return;
      this.#shell = null;
      if (this.#runs.size > 0 && performance.now() - startedAt > WORTH_RESTARTING_MS) this.#start();
    });
    for (const [marker, group] of this.#runs) this.#tell(`add ${marker} ${group}`);
  }

  #tell(line: string): void {
    this.#shell?.stdin?.write(`${line}\n`);
  }
}
