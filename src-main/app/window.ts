import { join } from 'node:path';
import { BrowserWindow, nativeTheme, type App, type WebContents } from 'electron';
import type { Clock } from '../../src-shared/base/clock';
import type { InputWitness } from '../approvals/real-act';
import { isActOfAPerson } from './act-of-a-person';
import { APP_ORIGIN } from './chromium-exits';
import type { WindowPlace, WindowState } from './window-state';

const MIN_WIDTH = 420;
const MIN_HEIGHT = 420;
const LONGEST_DRAWING_MS = 2_000;

/** What the frame does when nothing of the page is painted yet; the same two colours as `--surface`. */
const backgroundColour = (): string => (nativeTheme.shouldUseDarkColors ? '#191c1b' : '#fdfdfc');

/** What main wants to know of the one window. */
export interface WindowListeners {
  /** The page is gone, was reloaded or crashed: whatever it was asked, nobody answers now (A2). */
  onPageGone(): void;
}

/** The one window: sandboxed, without Node, unable to leave its own page. */
export class AppWindow implements InputWitness {
  #window: BrowserWindow | null = null;
  #lastInputAt = -Infinity;

  constructor(
    private readonly place: WindowPlace,
    private readonly clock: Clock,
    private readonly listeners: WindowListeners,
  ) {}

  /**
   * Makes the window now and loads its page once `before` is settled. Resolves when the page has drawn its frame, or when
   * that takes too long to wait for.
   */
  open(before: Promise<void> = Promise.resolve()): Promise<void> {
    const state = this.place.read();
    const window = new BrowserWindow({
      ...boundsOf(state),
      minWidth: MIN_WIDTH,
      minHeight: MIN_HEIGHT,
      show: false,
      title: 'Portcullis',
      backgroundColor: backgroundColour(),
      webPreferences: {
        preload: join(import.meta.dirname, '../preload/preload.cjs'),
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInSubFrames: false,
        nodeIntegrationInWorker: false,
        webviewTag: false,
        webSecurity: true,
        allowRunningInsecureContent: false,
        experimentalFeatures: false,
        spellcheck: false,
        navigateOnDragDrop: false,
        safeDialogs: true,
        devTools: false,
      },
    });
    this.#window = window;
    window.once('ready-to-show', () => {
      if (state.maximised) window.maximize();
      window.show();
    });
    window.on('close', () => this.place.write({ ...window.getNormalBounds(), maximised: window.isMaximized() }));
    window.on('closed', () => {
      this.#window = null;
      this.listeners.onPageGone();
    });
    this.#watch(window.webContents);
    void before.then(() => {
      if (!window.isDestroyed()) return window.loadURL(`${APP_ORIGIN}/index.html`);
    });
    return new Promise((drawn) => {
      window.webContents.once('dom-ready', () => drawn());
      this.clock.after(LONGEST_DRAWING_MS, drawn);
    });
  }

  /** Brings it to the front; opens it when it was closed. */
  raise(): void {
    if (!this.#window) return void this.open();
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  contentsId(): number | null {
    return this.#window?.webContents.id ?? null;
  }

  send(message: unknown): void {
    this.#window?.webContents.send('view/feed', message);
  }

  lastInputAt(): number {
    return this.#lastInputAt;
  }

  windowFocused(): boolean {
    return this.#window?.webContents.isFocused() ?? false;
  }

  browserWindow(): BrowserWindow | null {
    return this.#window;
  }

  #watch(contents: WebContents): void {
    contents.on('input-event', (_event, input) => {
      if (isActOfAPerson(input)) this.#lastInputAt = this.clock.now();
    });
    contents.on('render-process-gone', () => this.listeners.onPageGone());
    contents.on('did-start-navigation', (details) => {
      if (details.isMainFrame && !details.isSameDocument) this.listeners.onPageGone();
    });
  }
}

/** Holds for every page there is, now or later: nothing navigates away, opens a window or attaches a guest. */
export function denyLeaving(app: App): void {
  app.on('web-contents-created', (_event, contents) => {
    const stay = (event: { preventDefault(): void; url: string }): void => {
      if (!event.url.startsWith(`${APP_ORIGIN}/`)) event.preventDefault();
    };
    contents.on('will-navigate', stay);
    contents.on('will-frame-navigate', stay);
    contents.on('will-redirect', stay);
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
    contents.setWebRTCIPHandlingPolicy('disable_non_proxied_udp');
  });
}

function boundsOf(state: WindowState): Electron.Rectangle | { width: number; height: number } {
  const { width, height, x, y } = state;
  return x === undefined || y === undefined ? { width, height } : { width, height, x, y };
}
