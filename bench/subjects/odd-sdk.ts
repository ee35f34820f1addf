// The same answer through the official client alone, as it comes.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Where } from './app-server';
import { watchCall } from './watch-call';

const { where, way, timeoutMs } = JSON.parse(process.argv[2] ?? '') as { where: Where; way: string; timeoutMs: number };

const client = new Client({ name: 'bench', version: '1' });
client.onerror = () => undefined;
await client.connect(
  where.kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(where.url))
    : new StdioClientTransport({ command: process.execPath, args: where.args }),
);
const { value, ...cost } = await watchCall(async () => {
  try {
    if (way === 'tools') return `${(await client.listTools()).tools.length} tools`;
    await client.callTool({ name: 'tool_1', arguments: { way, text: 'done' } }, { timeout: timeoutMs });
    return 'answered';
  } catch (error) {
    return String(error).slice(0, 120);
  }
});
console.log(JSON.stringify({ ...cost, outcome: value }));
await new Promise((resolve) => setTimeout(resolve, 1500));
process.exit();
