import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AttachableCatalog, openAttachablesFile } from '../../src-main/attachments/attachable-catalog';
import { AttachmentDesk } from '../../src-main/attachments/attachment-desk';
import { systemClock } from '../../src-main/app/system-clock';
import type { AttachmentAsk } from '../../src-shared/attachments/attachment.schema';
import { ok } from '../../src-shared/base/result';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { openProgram } from '../support/program-session';
import { callOf } from '../support/scripted-server';
import { tempFolder } from '../support/temp-folder';

const script = resolve(import.meta.dirname, '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const chat = 'chat-1' as ConversationId;
const id = 'everything' as ServerId;

async function setUp() {
  const { opened } = await openProgram(script, { args: ['stdio'] });
  if (!opened.ok) throw new Error(opened.problem.message);
  const session = opened.value;
  const catalog = new AttachableCatalog({
    document: openAttachablesFile(tempFolder()),
    servers: () => [{ id, name: 'Everything', namespace: 'everything', on: true, down: false }],
    mask: (text) => text,
    changed: () => undefined,
  });
  const ledger: [answered: boolean, bytesOut: number, bytesIn: number][] = [];
  const desk = new AttachmentDesk({
    catalog,
    clock: systemClock,
    faceOf: () => ({ name: 'Everything', namespace: 'everything', where: 'node', leaves: false, fingerprint: 'f' }),
    useSession: async () => ok(session),
    kept: { keep: () => 'out-1' },
    mask: (text) => text,
    recordProgramCall: () => ({ done: (...figures) => void ledger.push(figures) }),
    changed: () => undefined,
  });
  await desk.learn(id, session);
  const fetchOne = async (kind: AttachmentAsk['kind'], ref: string, given: AttachmentAsk['given'] = {}) => {
    const fetched = await desk.fetch(chat, [{ kind, serverId: id, ref, given }]);
    if (!fetched.ok) throw new Error(fetched.problem);
    return fetched.value[0]!;
  };
  return { session, catalog, ledger, fetchOne };
}

describe('server-everything', () => {
  test('W8: its resources, templates and prompts are listed, fetched, treated and recorded', async () => {
    const { catalog, ledger, fetchOne } = await setUp();
    const rows = catalog.rows();
    const refs = (kind: string): string[] => rows.filter((row) => row.kind === kind).map(({ ref }) => ref);
    expect(refs('resource').length).toBeGreaterThan(0);
    expect(refs('template')).toContain('demo://resource/dynamic/text/{resourceId}');
    expect(refs('prompt')).toEqual(expect.arrayContaining(['simple-prompt', 'args-prompt']));
    expect(rows.find(({ ref }) => ref === 'args-prompt')!.fields).toMatchObject([
      { name: 'city', required: true },
      { name: 'state', required: false },
    ]);

    const listed = await fetchOne('resource', refs('resource')[0]!);
    expect(listed.outcome.forModel).toMatch(/^<tool_output server="Everything" [^>]*id="[0-9a-f]{16}">\n\[resource /);
    const filledIn = await fetchOne('template', 'demo://resource/dynamic/text/{resourceId}', { resourceId: '7' });
    expect(filledIn.outcome.forPerson).toContain('[resource demo://resource/dynamic/text/7]');
    const blob = await fetchOne('template', 'demo://resource/dynamic/blob/{resourceId}', { resourceId: '7' });
    expect(blob.outcome.forPerson).toMatch(/^\[file demo:\/\/resource\/dynamic\/blob\/7, .+ bytes\]$/);
    const prompt = await fetchOne('prompt', 'args-prompt', { city: 'Oslo' });
    expect(prompt).toMatchObject({ kind: 'prompt', name: expect.stringMatching(/\(Oslo\)$/) });
    expect(prompt.outcome.forPerson).toContain('Oslo');

    expect(ledger).toHaveLength(4);
    for (const [answered, bytesOut, bytesIn] of ledger) {
      expect(answered).toBe(true);
      expect(bytesOut).toBeGreaterThan(50);
      expect(bytesIn).toBeGreaterThan(50);
    }
  });

  test('W3: a long operation tells how far it is and can be cancelled', async () => {
    const { session } = await setUp();
    const stop = new AbortController();
    const told: { progress: number; total?: number }[] = [];
    const called = await session.callTool({
      ...callOf('trigger-long-running-operation', { duration: 20, steps: 100 }),
      signal: stop.signal,
      onProgress: (progress) => {
        told.push(progress);
        if (told.length === 3) stop.abort();
      },
    });
    expect(called).toMatchObject({ ok: false, problem: { kind: 'cancelled' } });
    expect(told.at(-1)).toMatchObject({ progress: 3, total: 100 });
  });
});

describe('a server of the stateless era', () => {
  test('W8, R3: lists, gives, and tells that its resources changed', async () => {
    let told = 0;
    const peer = resolve(import.meta.dirname, '../fixtures/peers/modern-attachments.mjs');
    const { opened } = await openProgram(peer, { parts: { onAttachablesChanged: () => (told += 1) } });
    if (!opened.ok) throw new Error(opened.problem.message);
    const { attachments, era } = opened.value;
    expect(era).toBe('modern');
    expect(await attachments.listResources()).toMatchObject({ ok: true, value: { entries: [{ uri: 'notes://plan' }] } });
    expect(await attachments.listResourceTemplates()).toMatchObject({
      ok: true,
      value: { entries: [{ uriTemplate: 'notes://{id}' }] },
    });
    expect(await attachments.listPrompts()).toMatchObject({
      ok: true,
      value: { entries: [{ rawName: 'greet', arguments: [{ name: 'who', required: true }] }] },
    });
    expect(await attachments.readResource('notes://plan')).toMatchObject({
      ok: true,
      value: { raw: { contents: [{ text: 'text of notes://plan' }] } },
    });
    expect(await attachments.getPrompt('greet', { who: 'Ada' })).toMatchObject({
      ok: true,
      value: { raw: { messages: [{ content: { text: 'Hello Ada' } }] } },
    });
    await opened.value.callTool(callOf('grow'));
    await expect.poll(() => told, { timeout: 5000 }).toBeGreaterThan(0);
  });
});
