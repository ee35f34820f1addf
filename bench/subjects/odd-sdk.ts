// The same answer through the official client alone, as it comes.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { warmUpBy, type OddInput } from './odd-input';
import { watchCall } from './watch-call';

const { where, way, timeoutMs, warmUp } = JSON.parse(process.argv[2] ?? '') as OddInput;

const client = new Client({ name: 'bench', version: '1' });
client.onerror = () => undefined;
await client.connect(
  where.kind === 'http'
    ? new StreamableHTTPClientTransport(new URL(where.url))
    : new StdioClientTransport({ command: process.execPath, args: where.args }),
);
const call = (how: string) => client.callTool({ name: 'tool_1', arguments: { way: how, text: 'done' } }, { timeout: timeoutMs });
await warmUpBy(warmUp, () => call('echo'));
const { value, ...cost } = await watchCall(async () => {
  try {
    if (way === 'tools') return `${(await client.listTools()).tools.length} tools`;
    await call(way);
    return 'answered';
  } catch (error) {
    return String(error).slice(0, 120);
  }
});
console.log(JSON.stringify({ ...cost, outcome: value }));
await new Promise((resolve) => setTimeout(resolve, 1500));
process.exit();
