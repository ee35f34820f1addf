import { readFile } from 'node:fs/promises';
import { extname, join, normalize, sep } from 'node:path';
import type { Protocol } from 'electron';
import { APP_ORIGIN } from './chromium-exits';
import { PAGE_HEADERS } from './content-policy';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Has to be said before `ready`. No bypassing of the content policy, no service workers, no streams. */
export function declareAppScheme(protocol: Protocol): void {
  protocol.registerSchemesAsPrivileged([{ scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true } }]);
}

/**
 * Serves the window's own files from one folder, and nothing else from anywhere.
 *
 * By the older of Electron's two ways: `protocol.handle` sends each file through a stream of JavaScript, which costs a
 * start some 30 ms more (docs/adr/0006).
 */
export function serveAppFiles(protocol: Protocol, folder: string): void {
  protocol.registerBufferProtocol('app', (request, answer) => {
    const path = fileFor(request.method, request.url, folder);
    const type = path && TYPES[extname(path)];
    const refuse = (): void => answer({ statusCode: 404, headers: PAGE_HEADERS, data: Buffer.from('Not part of Portcullis.') });
    if (!path || !type) return refuse();
    readFile(path).then((data) => answer({ headers: { ...PAGE_HEADERS, 'content-type': type }, data }), refuse);
  });
}

/** The file an address stands for, or null when it is not one of ours. */
export function fileFor(method: string, url: string, folder: string): string | null {
  const address = URL.canParse(url) ? new URL(url) : null;
  if (method !== 'GET' || !address || `${address.protocol}//${address.host}` !== APP_ORIGIN) return null;
  let name: string;
  try {
    name = decodeURIComponent(address.pathname);
  } catch {
    return null;
  }
  if (name.includes('\0') || name.includes('\\')) return null;
  const path = normalize(join(folder, name === '/' ? 'index.html' : name));
  return path.startsWith(folder + sep) ? path : null;
}
