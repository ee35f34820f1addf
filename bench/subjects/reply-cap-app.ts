// One oversized reply through the app's own session.
import { appServer, openAppSession, type Where } from './app-server';
import { watchCall } from './watch-call';

const { where, args } = JSON.parse(process.argv[2] ?? '') as { where: Where; args: object };

const server = appServer(where);
const session = await openAppSession(server);
const definition = { rawName: 'tool', inputSchema: { type: 'object' }, claims: {} };
const { value, ...cost } = await watchCall(() => session.callTool({ definition, frozenText: JSON.stringify(args) }));
await session.close();
await server.end();
console.log(JSON.stringify({ ...cost, outcome: value.ok ? 'accepted' : value.problem.kind }));
