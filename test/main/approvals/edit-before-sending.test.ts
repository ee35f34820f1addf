import { describe, expect, test } from 'vitest';
import { ApprovalBroker, type ToolQuestion } from '../../../src-main/approvals/approval-broker';
import { approvalCalls } from '../../../src-main/approvals/approval-calls';
import { CallCopies } from '../../../src-main/tools/call-copies';
import { ARMING_MS, DEFAULT_APPROVAL_TIMEOUT_MS, type ApprovalRequest } from '../../../src-shared/approvals/approval.schema';
import { sha256Hex } from '../../../src-shared/base/sha256';
import { toVisibleText, visibleToString } from '../../../src-shared/base/visible-text';
import type { ToolDefinition } from '../../../src-shared/tools/tool.schema';
import { FakeClock } from '../../support/fake-clock';

const definition: ToolDefinition = {
  rawName: 'find',
  description: '',
  inputSchema: {
    type: 'object',
    properties: { q: { type: 'string' }, limit: { type: 'integer', maximum: 10 } },
    required: ['q'],
  },
  claims: {},
};
const ASKED = '{"q":"x","limit":3}';

const sheetOf = (frozenText: string, digest: ToolQuestion['digest']): ToolQuestion => ({
  kind: 'tool-call',
  digest,
  serverId: 'notes' as never,
  serverName: 'Notes',
  namespace: 'notes',
  where: '/usr/bin/notes',
  leaves: false,
  toolName: toVisibleText('find'),
  typedName: 'find',
  caller: 'model',
  conversationId: 'chat-1' as never,
  claims: {},
  strength: 'ask',
  offers: ['once', 'this-chat'],
  arguments: [],
  argumentsText: toVisibleText(frozenText),
  argumentsBytes: frozenText.length,
  because: [],
});

function setUp(checker?: { check(schema: unknown, value: unknown): Promise<'fits' | 'differs' | 'unknown'> }) {
  const clock = new FakeClock();
  const window = { inputAt: -Infinity };
  const broker = new ApprovalBroker(clock, { lastInputAt: () => window.inputAt, windowFocused: () => true }, () => undefined);
  const copies = new CallCopies({ definition, checker: checker as never, sheetOf }, ASKED);
  const abort = new AbortController();
  const settled = broker.ask(copies.first(), abort.signal, { editing: copies });
  const calls = approvalCalls(broker, () => null);
  const sheet = (): ApprovalRequest => broker.waiting()[0]!;
  const named = (request: ApprovalRequest) => ({ id: request.id, digest: request.digest, nonce: request.nonce });
  const edit = (argument: number | null, text: string, request = sheet()) =>
    calls['approvals.edit']({ ...named(request), argument, text });
  const allow = (request: ApprovalRequest) => {
    window.inputAt = clock.now();
    return broker.answer({ ...named(request), answer: { kind: 'once' } });
  };
  const arm = () => {
    broker.shown(sheet().id);
    clock.advance(ARMING_MS);
  };
  return { clock, broker, copies, calls, settled, abort, sheet, named, edit, allow, arm };
}

describe('editing a call before it is sent', () => {
  test('A5: a changed copy has the digest of its own bytes and a new nonce, and the answer sends just that copy', async () => {
    const { sheet, edit, allow, arm, settled, copies } = setUp();
    const before = sheet();
    expect(await edit(0, 'other')).toMatchObject({ ok: true });
    const after = sheet();
    expect(after).toMatchObject({ digest: sha256Hex('{"q":"other","limit":3}'), edited: true });
    expect(after.nonce).not.toBe(before.nonce);
    expect(after.kind === 'tool-call' && visibleToString(after.argumentsText)).toBe('{"q":"other","limit":3}');
    arm();
    expect(allow(after).ok).toBe(true);
    expect(await settled).toEqual({ kind: 'allowed', reach: 'once', edited: after.digest });
    expect(copies.textOf(after.digest)).toBe('{"q":"other","limit":3}');
  });

  test('A5, A9: an answer for the copy from before runs nothing', async () => {
    const { sheet, edit, allow, arm, named, broker } = setUp();
    const before = sheet();
    await edit(0, 'other');
    arm();
    expect(allow(before)).toMatchObject({ ok: false, problem: expect.stringContaining('something else than what is shown') });
    // Neither the old nonce with the new digest, nor the other way round.
    const mixed = [
      { ...named(sheet()), nonce: before.nonce },
      { ...named(sheet()), digest: before.digest },
    ];
    for (const name of mixed) expect(broker.answer({ ...name, answer: { kind: 'once' } }).ok).toBe(false);
    expect(broker.waiting()).toHaveLength(1);
  });

  test('A9: a sheet that was armed is not armed for the changed copy', async () => {
    const { sheet, edit, allow, arm } = setUp();
    arm();
    await edit(0, 'other');
    expect(allow(sheet())).toMatchObject({ ok: false, problem: expect.stringContaining('before the question could be read') });
    arm();
    expect(allow(sheet()).ok).toBe(true);
  });

  const refused: [because: string, argument: number | null, text: string, says: RegExp][] = [
    ['a number that is none', 1, 'many', /takes a number/],
    ['a number out of bounds', 1, '11', /at most 10/],
    ['a text for a number, inside the whole', null, '{"q":"x","limit":"3"}', /"limit" must be a whole number/],
    ['all of them without a required one', null, '{"limit":3}', /"q" is missing/],
    ['what is no object', null, '[]', /must be a JSON object/],
  ];
  test.each(refused)('A5: %s is a sentence, and the sheet stays as it was', async (_, argument, text, says) => {
    const { sheet, edit } = setUp();
    const before = sheet();
    expect(await edit(argument, text)).toMatchObject({ ok: false, problem: { message: expect.stringMatching(says) } });
    expect(sheet()).toEqual(before);
  });

  test('A5: the changed arguments meet the whole schema, off this thread, as the first ones did', async () => {
    const seen: unknown[] = [];
    const { sheet, edit } = setUp({
      check: async (_schema, value) => {
        seen.push(value);
        return 'differs';
      },
    });
    const before = sheet();
    expect(await edit(0, 'other')).toMatchObject({ ok: false, problem: { message: expect.stringContaining('do not fit') } });
    expect(seen).toEqual([{ q: 'other', limit: 3 }]);
    expect(sheet()).toEqual(before);
  });

  test('A2: an edit that is checked while the call is stopped brings nothing back', async () => {
    let go = (): void => undefined;
    const { edit, abort, broker, settled } = setUp({
      check: () => new Promise((resolve) => (go = () => resolve('fits'))),
    });
    const editing = edit(0, 'other');
    abort.abort();
    go();
    expect(await editing).toMatchObject({ ok: false });
    expect(await settled).toEqual({ kind: 'refused', why: 'cancelled' });
    expect(broker.waiting()).toEqual([]);
  });

  test('A5: of two edits of one copy the first one counts', async () => {
    const waiting: (() => void)[] = [];
    const { edit, sheet } = setUp({ check: () => new Promise((resolve) => waiting.push(() => resolve('fits'))) });
    const [first, second] = [edit(0, 'first'), edit(0, 'second')];
    waiting.forEach((go) => go());
    expect([(await first).ok, (await second).ok]).toEqual([true, false]);
    expect(sheet().digest).toBe(sha256Hex('{"q":"first","limit":3}'));
  });

  test('A2: the changed copy waits its full time, and then it is refused too', async () => {
    const { clock, edit, settled, broker } = setUp();
    clock.advance(DEFAULT_APPROVAL_TIMEOUT_MS - 1);
    await edit(0, 'other');
    clock.advance(DEFAULT_APPROVAL_TIMEOUT_MS - 1);
    expect(broker.waiting()).toHaveLength(1);
    clock.advance(1);
    expect(await settled).toEqual({ kind: 'refused', why: 'nobody-answered' });
  });

  test('A5: what was asked for, put back, is no changed call any more', async () => {
    const { sheet, edit } = setUp();
    await edit(0, 'other');
    await edit(0, 'x');
    expect(sheet()).not.toHaveProperty('edited');
    expect(sheet().digest).toBe(sha256Hex(ASKED));
  });

  test('A5: the window reads what it edits from main, and only of the copy on the sheet', async () => {
    const { calls, sheet, named, edit } = setUp();
    const before = named(sheet());
    expect(await calls['approvals.editable']({ ...before, argument: 1 })).toMatchObject({
      ok: true,
      value: { kind: 'number', text: '3' },
    });
    await edit(1, '4');
    expect(await calls['approvals.editable']({ ...before, argument: 1 })).toMatchObject({ ok: false });
    expect(await calls['approvals.editable']({ ...named(sheet()), argument: 1 })).toMatchObject({ value: { text: '4' } });
  });
});
