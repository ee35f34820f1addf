import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type Electron from 'electron';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

const root = resolve(import.meta.dirname, '..');
const LAUNCH_MS = 12_000;
const MAX_LAUNCHES = 3;
const MAX_QUESTIONS = 4;

/** Runs inside the main process. */
type Question<A, T> = (electron: typeof Electron, about: A) => T | Promise<T>;
const sandboxed = process.env.PORTCULLIS_SANDBOX !== 'off';

/** The built app on one profile. It can be ended and started again, as a person would. */
export class RunningApp {
  #electron: ElectronApplication | null = null;
  #window: Page | null = null;
  #printed = '';

  constructor(
    readonly profile: string,
    private readonly extraEnv: Readonly<Record<string, string>> = {},
  ) {}

  /** `more` stands on the command line of this start. */
  async start(more: readonly string[] = []): Promise<void> {
    const electron = await this.#launch(more);
    for (const stream of [electron.process().stdout, electron.process().stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.#printed += chunk.toString('utf8')));
    }
    this.#electron = electron;
    this.#window = await electron.firstWindow();
    this.#window.setDefaultTimeout(10_000);
    await this.#window.getByRole('main').waitFor({ timeout: 15_000 });
    // The house is read after the frame is drawn; asking main anything meanwhile can lose the answer.
    await this.#window.getByText('Portcullis is starting.').waitFor({ state: 'hidden', timeout: 15_000 });
    await this.setContentSize(1280, 820);
  }

  /** On a busy machine a start can miss the tester's word to go on, and then waits for ever. It is ended and made anew. */
  async #launch(more: readonly string[]): Promise<ElectronApplication> {
    const executablePath = process.env.PORTCULLIS_ELECTRON;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await _electron.launch({
          ...(executablePath === undefined ? {} : { executablePath }),
          args: [...this.#args(), ...more],
          cwd: root,
          chromiumSandbox: sandboxed,
          // Left to the system: Playwright would hold the page to light.
          colorScheme: null,
          env: { ...ownEnv(), ...this.extraEnv },
          timeout: LAUNCH_MS,
        });
      } catch (error) {
        if (attempt === MAX_LAUNCHES || !String(error).includes('Timeout')) throw error;
      }
    }
  }

  /**
   * Asks the main process. Playwright can lose an answer while main starts or collects garbage, so each question is one that
   * can be asked twice, and is asked again when no answer comes.
   */
  async ask<T, A = null>(question: Question<A, T>, about: A = null as A): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const asked = this.electron.evaluate(question as Question<unknown, T>, about as unknown).then((answer) => ({ answer }));
      const answered = await Promise.race([asked.catch((error: unknown) => ({ error })), delay(5000, null)]);
      if (answered !== null && 'answer' in answered) return answered.answer;
      const isLost = answered === null || String(answered.error).includes('garbage collected');
      if (!isLost || attempt === MAX_QUESTIONS) throw answered?.error ?? new Error('The main process does not answer.');
    }
  }

  get electron(): ElectronApplication {
    if (!this.#electron) throw new Error('The app is not running.');
    return this.#electron;
  }

  get window(): Page {
    if (!this.#window) throw new Error('The app is not running.');
    return this.#window;
  }

  get pid(): number {
    const { pid } = this.electron.process();
    if (pid === undefined) throw new Error('The app has no process.');
    return pid;
  }

  /** All that the main process and Chromium printed, over every start. */
  get printed(): string {
    return this.#printed;
  }

  /** Quits as the menu does, and waits until the process is gone. */
  async quit(): Promise<void> {
    const electron = this.#electron;
    if (!electron) return;
    this.#electron = null;
    this.#window = null;
    const child = electron.process();
    const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
    await electron.close();
    clearTimeout(late);
  }

  /** Ends the main process as a crash or a power cut would. */
  async crash(): Promise<void> {
    const child = this.electron.process();
    const gone = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await gone;
    this.#electron = null;
    this.#window = null;
  }

  /** What the system's folder dialog will answer; null is closing it. */
  async folderDialogPicks(folder: string | null): Promise<void> {
    await this.ask(({ dialog }, picked) => {
      dialog.showOpenDialog = () => Promise.resolve({ canceled: picked === null, filePaths: picked === null ? [] : [picked] });
    }, folder);
  }

  async setContentSize(width: number, height: number): Promise<void> {
    await this.ask(({ BrowserWindow }, [w, h]) => BrowserWindow.getAllWindows()[0]?.setContentSize(w, h), [
      width,
      height,
    ] as const);
  }

  async setZoom(factor: number): Promise<void> {
    await this.ask(({ BrowserWindow }, by) => BrowserWindow.getAllWindows()[0]?.webContents.setZoomFactor(by), factor);
  }

  /** The whole window as it is drawn. Playwright's own picture of a zoomed page shows a corner of it. */
  async picture(): Promise<Buffer> {
    const encoded = await this.ask(async ({ BrowserWindow }) =>
      (await BrowserWindow.getAllWindows()[0]?.webContents.capturePage())?.toPNG().toString('base64'),
    );
    return Buffer.from(encoded ?? '', 'base64');
  }

  async setTheme(theme: 'light' | 'dark'): Promise<void> {
    await this.ask(({ nativeTheme }, wanted) => {
      nativeTheme.themeSource = wanted;
    }, theme);
    await this.window.waitForFunction((dark) => matchMedia('(prefers-color-scheme: dark)').matches === dark, theme === 'dark');
  }

  /** Starts the program once more on the same profile, and gives its exit code. */
  startSecond(more: readonly string[] = []): Promise<number | null> {
    const program = process.env.PORTCULLIS_ELECTRON;
    if (!program) throw new Error('PORTCULLIS_ELECTRON names the program to start a second time.');
    const child = spawn(program, [...(sandboxed ? [] : ['--no-sandbox']), ...this.#args(), ...more], {
      cwd: root,
      stdio: 'ignore',
    });
    const late = setTimeout(() => child.kill('SIGKILL'), 15_000);
    return new Promise((done) =>
      child.once('exit', (code) => {
        clearTimeout(late);
        done(code);
      }),
    );
  }

  #args(): string[] {
    return [root, `--user-data-dir=${this.profile}`];
  }
}

function ownEnv(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
