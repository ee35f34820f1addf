import { expect, test } from 'vitest';
import { SessionWire } from '../../../src-main/sessions/mcp-session-wire';
import { FakeClock } from '../../support/fake-clock';
import { ScriptedServer } from '../../support/scripted-server-transport';

test('A5: the protocol client itself can send no tool call', async () => {
  const server = new ScriptedServer(() => undefined);
  const wire = new SessionWire(server, new FakeClock());
  const params = { name: 'delete', arguments: {} };
  await expect(wire.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })).rejects.toMatchObject({
    fault: 'not-as-approved',
  });
  await wire.send({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  expect(server.received.map(({ method }) => method)).toEqual(['tools/list']);
});
