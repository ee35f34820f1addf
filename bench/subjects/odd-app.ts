// One odd answer through the app's own session.
import { appServer, openAppSession } from './app-server';
import { warmUpBy, type OddInput } from './odd-input';
import { watchCall } from './watch-call';

const { where, way, timeoutMs, warmUp } = JSON.parse(process.argv[2] ?? '') as OddInput;

const server = appServer(where, { callTimeoutMs: timeoutMs, maxTools: 5000 });
const session = await openAppSession(server);
const definition = { rawName: 'tool_1', inputSchema: { type: 'object' }, claims: {} };
const call = (how: string) => session.callTool({ definition, frozenText: JSON.stringify({ way: how, text: 'done' }) });
await warmUpBy(warmUp, () => call('echo'));
const { value, ...cost } = await watchCall(async () => {
  if (way === 'tools') {
    const listed = await session.listTools();
    return listed.ok ? `${listed.value.tools.length} tools` : listed.problem.kind;
  }
  const outcome = await call(way);
  return outcome.ok ? 'answered' : outcome.problem.kind;
});
console.log(JSON.stringify({ ...cost, outcome: value }));
// Whoever asks the server for its open sockets asks while this session still stands.
await new Promise((resolve) => setTimeout(resolve, 1500));
await session.close();
await server.end();
