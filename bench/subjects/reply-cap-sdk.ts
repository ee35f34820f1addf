// The same reply through the official client alone, as it comes.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Where } from './app-server';
import { watchCall } from './watch-call';

const { where, args } = JSON.parse(process.argv[2] ?? '') as { where: Where; args: Record<string, unknown> };

const client = new Client({ name: 'bench', version: '1' });
client.onerror = () => undefined;
await client.connect(
  where.kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(where.url))
    : new StdioClientTransport({ command: process.execPath, args: where.args }),
);
const { value, ...cost } = await watchCall(() =>
  client.callTool({ name: 'tool', arguments: args }, { timeout: 300_000 }).then(
    () => 'accepted',
    (error: Error) => `${error.name}: ${error.message}`.slice(0, 120),
  ),
);
console.log(JSON.stringify({ ...cost, outcome: value }));
process.exit();
