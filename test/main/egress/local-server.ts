import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A real server on a loopback port, which counts who came and what its sockets carried. */
export interface LocalServer {
  server: Server;
  port: number;
  origin: string;
  connections: number;
  requests: string[];
  sockets: Set<Socket>;
  /** Bytes its sockets read and wrote, those that are gone included. */
  bytes(): { read: number; written: number };
}

export async function listen(answer: RequestListener, host = '127.0.0.1'): Promise<LocalServer> {
  const all: Socket[] = [];
  const server = createServer((request, response) => {
    local.requests.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  const local: LocalServer = {
    server,
    port: 0,
    origin: '',
    connections: 0,
    requests: [],
    sockets: new Set(),
    bytes: () => ({
      read: all.reduce((sum, socket) => sum + socket.bytesRead, 0),
      written: all.reduce((sum, socket) => sum + socket.bytesWritten, 0),
    }),
  };
  server.on('connection', (socket: Socket) => {
    local.connections += 1;
    all.push(socket);
    local.sockets.add(socket);
    socket.on('close', () => local.sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  local.port = (server.address() as AddressInfo).port;
  local.origin = `http://${host.includes(':') ? `[${host}]` : host}:${local.port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return local;
}

export async function readAll(source: AsyncIterable<Uint8Array> | IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

/** Waits until `holds` does, or fails the test. */
export async function until(holds: () => boolean, ms = 3000): Promise<void> {
  for (const end = Date.now() + ms; !holds();) {
    if (Date.now() > end) throw new Error('It did not come to that in time.');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
