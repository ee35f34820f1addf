import { describe, expect, onTestFinished, test } from 'vitest';
import { openSession, type McpSession } from '../../src-main/sessions/mcp-session';
import { DEFAULT_LIMITS } from '../../src-shared/servers/server.schema';
import { FakeClock } from '../support/fake-clock';
import { linksTo, ScriptedServer, silence, type Script } from '../support/scripted-server-transport';

async function open(script: Script, serverName = 'Notes') {
  const server = new ScriptedServer(script);
  const opened = await openSession({
    serverName,
    limits: { ...DEFAULT_LIMITS },
    clock: new FakeClock(),
    link: linksTo(server),
  });
  if (!opened.ok) throw new Error(opened.problem.message);
  onTestFinished(() => opened.value.close());
  return { server, session: opened.value };
}

const call = (session: McpSession, rawName: string) =>
  session.callTool({ definition: { rawName, inputSchema: { type: 'object' }, claims: {} }, frozenText: '{}' });
const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
const onCall =
  (answer: Script): Script =>
  (message, server) =>
    message.method === 'tools/call' ? answer(message, server) : undefined;

describe('H17: an answer that belongs to another call', () => {
  test('H17, W1: two calls that are answered in the other order each get their own', async () => {
    const held: { id: string | number; name: unknown }[] = [];
    const { session, server } = await open(
      onCall((message) => {
        held.push({ id: message.id!, name: message.params?.['name'] });
        return silence();
      }),
    );
    const calls = [call(session, 'first'), call(session, 'second')];
    await expect.poll(() => held.length).toBe(2);
    for (const { id, name } of [...held].reverse())
      server.say({ jsonrpc: '2.0', id, result: text(`for ${String(name)}`) } as never);
    const answers = await Promise.all(calls);
    expect(answers).toMatchObject([{ raw: text('for first') }, { raw: text('for second') }]);
  });

  test.each<[string, (id: string | number) => unknown]>([
    ['an id nobody asked with', () => 987_654],
    ['the id before', (id) => Number(id) - 1],
    ['no id', () => null],
    ['an id of another kind', () => ({ id: 1 })],
  ])('H17, W1: %s answers nothing', async (_what, other) => {
    const { session } = await open(
      onCall((message, server) => {
        server.say({ jsonrpc: '2.0', id: other(message.id!), result: text('stolen') } as never);
        return text('own');
      }),
    );
    expect(await call(session, 'x')).toMatchObject({ ok: true, raw: text('own') });
    expect(await call(session, 'x')).toMatchObject({ ok: true, raw: text('own') });
  });

  test('H17, W1: the first of two answers with one id counts', async () => {
    const { session } = await open(
      onCall((message, server) => {
        server.say({ jsonrpc: '2.0', id: message.id!, result: text('first') } as never);
        server.say({ jsonrpc: '2.0', id: message.id!, result: text('second') } as never);
        return silence();
      }),
    );
    expect(await call(session, 'x')).toMatchObject({ raw: text('first') });
  });

  test('H17, W1: two servers that use the same ids never meet', async () => {
    const one = await open(
      onCall(() => text('from one')),
      'One',
    );
    const two = await open(
      onCall((message) => {
        // It guesses the id of the other session's open call.
        two.server.say({ jsonrpc: '2.0', id: message.id!, result: text('from two') } as never);
        return silence();
      }),
      'Two',
    );
    const answers = await Promise.all([call(one.session, 'x'), call(two.session, 'x')]);
    expect(answers).toMatchObject([{ raw: text('from one') }, { raw: text('from two') }]);
  });
});
