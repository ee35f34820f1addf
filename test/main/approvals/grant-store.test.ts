import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type BoundNow, GrantStore, type LastingFacts } from '../../../src-main/approvals/grant-store';
import { GrantUses, openUsesFile, SAVE_USES_AFTER_MS } from '../../../src-main/approvals/grant-uses';
import { openTrustFile, SealedRecords } from '../../../src-main/servers/sealed-records';
import { TrustStore } from '../../../src-main/servers/trust-store';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';
import { fakeSealer } from '../../support/fake-sealer';
import { runCounter } from '../../support/run-counter';
import { tempFolder } from '../../support/temp-folder';

const notes = 'notes' as ServerId;
const facts: LastingFacts = {
  caller: 'model',
  serverId: notes,
  rawName: 'find',
  fingerprint: 'f1',
  definition: 'a'.repeat(64) as never,
};

interface OnDisk {
  generation: number;
  seal?: string;
  grants: Record<string, { value: Record<string, unknown>; seal?: unknown }>;
}

function setUp() {
  const folder = tempFolder();
  const clock = new FakeClock();
  const heard = { uses: 0 };
  const open = (key?: string) => {
    const records = new SealedRecords({
      document: openTrustFile(folder),
      sealer: fakeSealer(key),
      generation: runCounter(),
      clock,
    });
    const uses = new GrantUses({ document: openUsesFile(folder), clock, changed: () => void (heard.uses += 1) });
    const store = new GrantStore({ records, uses, clock, launchInWords: (id) => `/usr/bin/${id}` });
    return { store, uses, records };
  };
  const file = join(folder, 'trust.json');
  const edit = (change: (file: OnDisk) => void, reseal = false) => {
    const { seal, ...parsed }: OnDisk = JSON.parse(readFileSync(file, 'utf8'));
    change(parsed);
    writeFileSync(file, JSON.stringify({ ...parsed, seal: reseal ? fakeSealer().seal('trust-file', parsed) : seal }));
  };
  return { ...open(), open, clock, heard, file, edit, folder };
}

const different: [field: string, change: Partial<LastingFacts>][] = [
  ['another kind of caller', { caller: 'you' }],
  ['a program in a shell', { caller: 'command-line' }],
  ['another server', { serverId: 'files' as ServerId }],
  ['another tool', { rawName: 'find2' }],
  ['every tool, by a star', { rawName: '*' }],
  ['a server that would start differently', { fingerprint: 'f2' }],
  ['a definition that changed', { definition: 'b'.repeat(64) as never }],
];

describe('GrantStore', () => {
  test('A1, S10: covers exactly what was allowed, and holds after a restart with the same key', () => {
    const { store, open } = setUp();
    expect(store.covers(facts)).toBe(false);
    expect(store.allow(facts)).toEqual({ ok: true, value: undefined });
    expect([store.covers(facts), open().store.covers(facts)]).toEqual([true, true]);
  });

  test.each(different)('A1: does not cover %s', (_field, change) => {
    const { store } = setUp();
    store.allow(facts);
    expect(store.covers({ ...facts, ...change })).toBe(false);
  });

  test('A1: a grant of a tool named by a star covers that tool alone', () => {
    const { store } = setUp();
    store.allow({ ...facts, rawName: '*' });
    expect(store.covers(facts)).toBe(false);
  });

  test('S10: a file from before there were grants still counts', () => {
    const { file, records, open } = setUp();
    records.write('switches', { id: 'model-1', on: true });
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')))).not.toContain('grants');
    expect(open().records.read('switches', 'model-1')).not.toBeNull();
    open().store.allow(facts);
    expect([open().store.covers(facts), open().records.read('switches', 'model-1') !== null]).toEqual([true, true]);
  });

  describe('S10, X1: a grant that a program wrote allows nothing, and is listed', () => {
    const forgeries: [what: string, change: (file: OnDisk) => void][] = [
      ['with its seal taken out', (file) => each(file, (record) => delete record.seal)],
      ['with a seal of its own making', (file) => each(file, (record) => (record.seal = 'sealed'))],
      ['that names another tool', (file) => each(file, (record) => (record.value['rawName'] = 'delete'))],
      ['bound to another launch', (file) => each(file, (record) => (record.value['fingerprint'] = 'f2'))],
      ['with its end taken back', (file) => each(file, (record) => delete record.value['ended'])],
      [
        'copied under another key',
        (file) => {
          const [record] = Object.values(file.grants);
          file.grants = { [`grant-${'0'.repeat(32)}`]: record! };
        },
      ],
    ];
    test.each(forgeries)('%s', (what, change) => {
      const { store, open, edit } = setUp();
      store.allow(facts);
      if (what.includes('end')) store.endChanged(() => ({ fingerprint: 'f2', definition: null }));
      const asked = [facts, { ...facts, rawName: 'delete' }, { ...facts, fingerprint: 'f2' }];
      for (const reseal of [false, true]) {
        edit(change, reseal);
        const next = open().store;
        expect(asked.map((one) => next.covers(one))).toEqual([false, false, false]);
        expect([next.list(), next.unsealed()]).toEqual([[], 1]);
      }
    });

    test('S5: a key that lasted for one run only reads as none at the next start', () => {
      const { store, open } = setUp();
      store.allow(facts);
      const next = open('another run').store;
      expect([next.covers(facts), next.unsealed()]).toEqual([false, 1]);
      expect(next.forgetAll().ok).toBe(true);
      expect(next.unsealed()).toBe(0);
    });
  });

  describe('R4: what is bound to something else than stands now has ended', () => {
    const known: BoundNow = { fingerprint: facts.fingerprint, definition: facts.definition };
    const ends: [what: string, now: BoundNow, ended: string | undefined][] = [
      ['the same launch and definition', known, undefined],
      ['nothing known yet', { fingerprint: null, definition: null }, undefined],
      ['another launch was approved', { ...known, fingerprint: 'f2' }, 'launch-changed'],
      ['its server lists another definition', { ...known, definition: 'b'.repeat(64) as never }, 'tool-changed'],
    ];
    test.each(ends)('%s', (_what, now, ended) => {
      const { store, open } = setUp();
      store.allow(facts);
      store.allow({ ...facts, caller: 'you', rawName: 'other' });
      store.endChanged((_id, rawName) => (rawName === 'find' ? now : known));
      expect(store.covers(facts)).toBe(ended === undefined);
      // It does not come back to life when what it is bound to does.
      store.endChanged(() => known);
      for (const each of [store, open().store]) {
        expect(each.list().map((grant) => [grant.rawName, grant.ended])).toEqual(
          expect.arrayContaining([
            ['find', ended],
            ['other', undefined],
          ]),
        );
        expect(each.covers(facts)).toBe(ended === undefined);
      }
    });

    test('allowing again what had ended is a new grant', () => {
      const { store } = setUp();
      store.allow(facts);
      store.endChanged(() => ({ fingerprint: 'f2', definition: null }));
      store.allow({ ...facts, fingerprint: 'f2' });
      expect([store.covers({ ...facts, fingerprint: 'f2' }), store.covers(facts), store.list().length]).toEqual([true, false, 1]);
    });
  });

  const acts: [what: string, act: (store: GrantStore) => void, left: string[]][] = [
    [
      'A1: one that is taken back is gone',
      (store) => store.revoke(store.list().find(({ caller }) => caller === 'model')!.id),
      ['notes find you', 'notes read model', 'files find model'],
    ],
    [
      'A1: the policy of a tool is taken back for every caller',
      (store) => store.revokeTool(notes, 'find'),
      ['notes read model', 'files find model'],
    ],
    ['S11, T4: all of one server go with it', (store) => store.forgetServer(notes), ['files find model']],
    ['T4: all can be taken back at once', (store) => store.forgetAll(), []],
  ];
  test.each(acts)('%s', (_what, act, left) => {
    const { store, open } = setUp();
    store.allow(facts);
    for (const more of [{ caller: 'you' as const }, { rawName: 'read' }, { serverId: 'files' as ServerId }])
      store.allow({ ...facts, ...more });
    act(store);
    const listed = open().store.list();
    expect(listed.map(({ serverId, rawName, caller }) => `${serverId} ${rawName} ${caller}`).sort()).toEqual([...left].sort());
  });

  test('A1: says what it is bound to as it was when allowed', () => {
    const { store, clock } = setUp();
    store.allow(facts);
    expect(store.list()).toMatchObject([{ ...facts, boundTo: '/usr/bin/notes', madeAt: clock.now(), use: null }]);
  });

  test('A1: uses are counted at once, written in a batch, and gone with their grant', () => {
    const { store, uses, open, clock, heard } = setUp();
    store.allow(facts);
    for (let call = 0; call < 3; call += 1) store.noteUse(facts);
    expect([store.list()[0]?.use?.count, open().store.list()[0]?.use, heard.uses]).toEqual([3, null, 0]);
    clock.advance(SAVE_USES_AFTER_MS);
    expect([open().store.list()[0]?.use, heard.uses]).toEqual([{ count: 3, lastAt: clock.now() - SAVE_USES_AFTER_MS }, 1]);
    store.forgetServer(notes);
    store.allow(facts);
    uses.save();
    expect([store.list()[0]?.use, open().store.list()[0]?.use]).toEqual([null, null]);
  });

  test('A1: a file of uses that says anything turns nothing on', () => {
    const { folder, open, store } = setUp();
    const uses = { [`grant-${'0'.repeat(32)}`]: { count: 9, lastAt: 1 }, x: 'y' };
    writeFileSync(join(folder, 'grant-uses.json'), JSON.stringify({ version: 1, uses }));
    expect(open().store.list()).toEqual([]);
    store.allow(facts);
    expect(open().store.list()).toMatchObject([{ use: null }]);
  });
});

test('T4: forgetting everything leaves the switches of models, and no approval, review or grant', () => {
  const { store, folder, clock } = setUp();
  store.allow(facts);
  const trust = new TrustStore({ document: openTrustFile(folder), sealer: fakeSealer(), generation: runCounter(), clock });
  trust.approveLaunch(notes, 'f1', 5);
  trust.setRouteOn('model-1', true);
  trust.forgetEverything();
  store.forgetAll();
  expect([trust.launchTrust(notes, 'f1'), trust.isRouteOn('model-1')]).toEqual(['never-approved', true]);
});

function each(file: OnDisk, change: (record: OnDisk['grants'][string]) => void): void {
  for (const record of Object.values(file.grants)) change(record);
}
