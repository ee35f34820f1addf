import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { difference, readFrame, toPng } from './frame';

const root = resolve(import.meta.dirname, '../..');
const pictures = join(root, 'out/proof');

/** What one measured stretch of time was, for whoever counts its packets. */
interface Stretch {
  /** Seconds since 1970. */
  from: number;
  to: number;
  /** Sockets that listen and did not before, as "tcp 0.0.0.0:80". */
  listening: string[];
}

/** An Electron app without a debug port: keys and mouse come from the X server, and what it shows is read from the display. */
export class WatchedApp {
  #child: ChildProcess | null = null;
  #from = 0;
  #before: ReadonlySet<string> = new Set();
  readonly #listening = new Set<string>();

  constructor(
    private readonly name: string,
    private readonly appFolder: string,
    private readonly profile: string,
    private readonly env: Readonly<Record<string, string>> = {},
  ) {}

  /** Starts the app and the measured time, and waits until its window is drawn. */
  async start(title: string): Promise<void> {
    const program = process.env.PORTCULLIS_ELECTRON;
    if (!program) throw new Error('PORTCULLIS_ELECTRON names the program to start.');
    this.#before = new Set(listeningSockets());
    this.#from = Date.now() / 1000;
    const sandbox = process.env.PORTCULLIS_SANDBOX === 'off' ? ['--no-sandbox'] : [];
    this.#child = spawn(program, [...sandbox, this.appFolder, `--user-data-dir=${this.profile}`], {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...this.env },
    });
    for (let attempt = 0; ; attempt += 1) {
      const id = windowNamed(title);
      if (id !== null) {
        xdotool('windowfocus', id);
        break;
      }
      if (attempt > 100) throw new Error(`No window named ${title} came up.`);
      await delay(200);
    }
    await delay(2500);
    this.look();
  }

  press(...keys: string[]): void {
    xdotool('key', '--delay', '60', ...keys);
  }

  type(text: string): void {
    xdotool('type', '--delay', '25', text);
  }

  click(x: number, y: number): void {
    xdotool('mousemove', String(x), String(y), 'click', '1');
  }

  /** Waits, and notes every socket that begins to listen meanwhile. */
  async wait(seconds: number): Promise<void> {
    const until = Date.now() + seconds * 1000;
    while (Date.now() < until) {
      await delay(Math.min(500, Math.max(1, until - Date.now())));
      this.look();
    }
  }

  /** Acts, and gives the share of the window that looks different a second later. */
  async changeBy(act: () => void): Promise<number> {
    const before = readFrame(framebuffer());
    act();
    await this.wait(1.2);
    return difference(before, readFrame(framebuffer()));
  }

  look(): void {
    for (const socket of listeningSockets()) if (!this.#before.has(socket)) this.#listening.add(socket);
  }

  /** Keeps a picture of the display under out/proof. */
  picture(step: string): void {
    mkdirSync(pictures, { recursive: true });
    writeFileSync(join(pictures, `${this.name}-${step}.png`), toPng(readFrame(framebuffer())));
  }

  get running(): boolean {
    return this.#child?.exitCode === null && this.#child.signalCode === null;
  }

  get secondsSoFar(): number {
    return Date.now() / 1000 - this.#from;
  }

  /** Ends the app and the measured time, and tells whoever counts. */
  async end(): Promise<void> {
    const child = this.#child;
    if (child !== null && this.running) {
      const gone = new Promise((done) => child.once('exit', done));
      child.kill('SIGTERM');
      await Promise.race([gone, delay(10_000).then(() => child.kill('SIGKILL'))]);
    }
    const stretch: Stretch = { from: this.#from, to: Date.now() / 1000, listening: [...this.#listening].sort() };
    const file = process.env.PORTCULLIS_PROOF_FILE;
    if (!file) throw new Error('PORTCULLIS_PROOF_FILE names the file to tell the measured time in.');
    writeFileSync(file, JSON.stringify(stretch));
  }
}

function framebuffer(): string {
  const folder = process.env.XDG_RUNTIME_DIR;
  if (!folder) throw new Error('XDG_RUNTIME_DIR names the folder of the desktop session.');
  return join(folder, 'Xvfb_screen0');
}

function windowNamed(title: string): string | null {
  try {
    return (
      execFileSync('xdotool', ['search', '--onlyvisible', '--name', `^${title}$`], { encoding: 'utf8' })
        .trim()
        .split('\n')[0] || null
    );
  } catch {
    return null;
  }
}

function xdotool(...args: string[]): void {
  execFileSync('xdotool', args, { stdio: 'ignore' });
}

/** Every TCP socket that listens and every UDP socket that is bound, in this network namespace (proc_net_tcp). */
function listeningSockets(): string[] {
  return ['tcp', 'tcp6', 'udp', 'udp6'].flatMap((kind) => {
    const rows = readFileSync(`/proc/net/${kind}`, 'utf8').trim().split('\n').slice(1);
    return rows.flatMap((row) => {
      const [, local = '', , state = ''] = row.trim().split(/\s+/);
      const isListening = kind.startsWith('tcp') ? state === '0A' : true;
      return isListening ? [`${kind} ${local}`] : [];
    });
  });
}
