import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder';

/** What was started and connected in this process while a test ran, as Node itself tells it. */
export interface CountedWorld {
  /** A program that leaves a line in a file each time it runs: the arguments to start it with. */
  program: { command: string; args: string[] };
  /** An address on this computer where each connection is counted. */
  address: string;
  counts(): { spawned: number; ran: number; dialled: number; accepted: number };
}

export const NOTHING = { spawned: 0, ran: 0, dialled: 0, accepted: 0 };

/** Counts every process and every socket from now to the end of the test. */
export async function countedWorld(): Promise<CountedWorld> {
  const folder = tempFolder();
  const [script, ranFile] = [join(folder, 'leaves-a-line.mjs'), join(folder, 'ran')];
  writeFileSync(script, `import { appendFileSync } from 'node:fs';\nappendFileSync(new URL('ran', import.meta.url), 'x');\n`);

  let accepted = 0;
  const server = createServer((_request, response) => response.writeHead(404).end());
  server.on('connection', () => accepted++);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };

  let [spawned, dialled] = [0, 0];
  const [onSpawn, onDial] = [() => void spawned++, () => void dialled++];
  subscribe('child_process', onSpawn);
  subscribe('net.client.socket', onDial);
  onTestFinished(async () => {
    unsubscribe('child_process', onSpawn);
    unsubscribe('net.client.socket', onDial);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    program: { command: process.execPath, args: [script] },
    address: `http://127.0.0.1:${port}/mcp`,
    counts: () => ({ spawned, ran: existsSync(ranFile) ? readFileSync(ranFile, 'utf8').length : 0, dialled, accepted }),
  };
}
