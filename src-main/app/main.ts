import './stand-last-resort';
import { join } from 'node:path';
import { app, Menu, protocol, session } from 'electron';
import { refuseGlobalNetwork } from '../egress/refuse-global-network';
import { serveCalls } from '../ipc/call-channel';
import { isTrustedSender } from '../ipc/trusted-sender';
import { buildAppMenu } from './app-menu';
import { serveAppFiles, declareAppScheme } from './app-protocol';
import { APP_ORIGIN, closeChromiumExits, closeSessionExits } from './chromium-exits';
import { mcpConfigArgument } from './mcp-config-argument';
import type { OpenHouse } from './open-house';
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

  let house: OpenHouse | null = null;
  const window = new AppWindow(openWindowPlace(folder), systemClock, { onPageGone: () => house?.windowGone() });

  const keychainScript = join(import.meta.dirname, 'keychain-process.js');
  const schemaScript = join(import.meta.dirname, 'schema-worker.js');
  const tokenScript = join(import.meta.dirname, 'token-worker.js');
  // The window draws its frame first: what is loaded beside it would take its time. A call that comes early waits.
  const opening = window
    .open(exitsClosed)
    .then(() => import('./open-house'))
    .then(({ openHouse }) =>
      openHouse({
        app,
        folder,
        keychainScript,
        schemaScript,
        tokenScript,
        runConfig: mcpConfigArgument(process.argv, process.cwd()),
        clock: systemClock,
        window,
        send: (message) => window.send(message),
      }),
    );
  serveCalls(
    (event) => isTrustedSender(event, () => window.contentsId(), APP_ORIGIN),
    async (name, input) => (await opening).answer(name, input),
  );
  app.on('second-instance', () => window.raise());
  app.on('activate', () => window.raise());

  house = await opening;
  Menu.setApplicationMenu(buildAppMenu(house.goTo, process.platform));
  endWithEverything(house);
}

/** Quitting ends every program and connection first, and only then the app (W5). */
function endWithEverything(house: OpenHouse): void {
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
