import { join } from 'node:path';
import { app, Menu, protocol, session } from 'electron';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import { refuseGlobalNetwork } from '../egress/refuse-global-network';
import { serveCalls } from '../ipc/call-channel';
import { ViewPublisher } from '../ipc/publish-views';
import { isTrustedSender } from '../ipc/trusted-sender';
import { buildAppMenu } from './app-menu';
import { serveAppFiles, declareAppScheme } from './app-protocol';
import { APP_ORIGIN, closeChromiumExits, closeSessionExits } from './chromium-exits';
import type { House } from './compose';
import { systemClock } from './system-clock';
import { AppWindow, denyLeaving } from './window';
import { openWindowPlace } from './window-state';

// The order matters: these have to stand before `ready`, and Electron holds `ready` until this module has run.
app.setName('Portcullis');
closeChromiumExits(app);
declareAppScheme(protocol);
refuseGlobalNetwork();
denyLeaving(app);

// A second start only raises the window of the first; what it was called with is not read (P9).
if (app.requestSingleInstanceLock()) void app.whenReady().then(open);
else app.exit(0);

async function open(): Promise<void> {
  const folder = app.getPath('userData');
  const exitsClosed = closeSessionExits(app, session.defaultSession);
  serveAppFiles(protocol, join(import.meta.dirname, '../renderer'));

  let house: House | null = null;
  const publisher = new ViewPublisher(systemClock, (message) => window.send(message));
  const window = new AppWindow(openWindowPlace(folder), systemClock, {
    onPageGone() {
      publisher.windowGone();
      house?.windowGone();
    },
  });

  const keychainScript = join(import.meta.dirname, 'keychain-process.js');
  // The window paints while the stores are read; a call that comes early waits for them.
  const composing = import('./compose').then(({ compose }) =>
    compose({ app, folder, keychainScript, clock: systemClock, window, publisher }),
  );
  serveCalls((event) => isTrustedSender(event, () => window.contentsId(), APP_ORIGIN), handlersOnceReady(composing));
  window.open(exitsClosed);
  app.on('second-instance', () => window.raise());
  app.on('activate', () => window.raise());

  house = await composing;
  Menu.setApplicationMenu(buildAppMenu(house.goTo, process.platform));
  endWithEverything(house);
}

/** Handlers that wait for the house; the contract's names are looked up before they get here. */
function handlersOnceReady(composing: Promise<House>): CallHandlers {
  return new Proxy({} as CallHandlers, {
    get:
      (_target, name: keyof CallHandlers) =>
      async (input: never): Promise<unknown> =>
        ((await composing).handlers[name] as (input: never) => Promise<unknown>)(input),
  });
}

/** Quitting ends every program and connection first, and only then the app (W5). */
function endWithEverything(house: House): void {
  let ended = false;
  app.on('before-quit', (event) => {
    if (ended) return;
    event.preventDefault();
    void house.end().finally(() => {
      ended = true;
      app.quit();
    });
  });
  app.on('window-all-closed', () => app.quit());
}
