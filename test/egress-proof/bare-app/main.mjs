// The positive control: Electron as it comes, without a single defence. With HOSTILE_PAGE it shows that folder's page.
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { app, BrowserWindow, protocol, session } from 'electron';

const page = process.env.HOSTILE_PAGE;
const TYPES = { '.html': 'text/html', '.js': 'text/javascript' };
const privileges = {
  standard: true,
  secure: true,
  supportFetchAPI: true,
  allowServiceWorkers: true,
  corsEnabled: true,
  stream: true,
};
protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges }]);

app.whenReady().then(() => {
  session.defaultSession.setPermissionRequestHandler((_contents, _permission, answer) => answer(true));
  protocol.handle('app', async (request) => {
    const { pathname } = new URL(request.url);
    const found = await readFile(join(page, pathname)).catch(() => null);
    if (found === null) return new Response('', { status: 404 });
    return new Response(found, { headers: { 'content-type': TYPES[extname(pathname)] ?? 'application/octet-stream' } });
  });
  const window = new BrowserWindow({ width: 800, height: 600, title: 'Bare' });
  void window.loadURL(page ? 'app://bundle/index.html' : 'data:text/html,<title>Bare</title><textarea autofocus></textarea>');
});
app.on('window-all-closed', () => app.quit());
