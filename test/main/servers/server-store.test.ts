import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { idOfStored } from '../../../src-shared/servers/server-rows';
import { DEFAULT_LIMITS, type SecretRef, type ServerDraft, type ServerId } from '../../../src-shared/servers/server.schema';
import { sampleServer } from '../../../src-main/servers/sample-server';
import { GONE_AFTER_MS } from '../../../src-main/servers/gone-entries';
import { openServersFile, ServerStore } from '../../../src-main/servers/server-store';
import { FakeClock } from '../../support/fake-clock';
import { FakeVault } from '../../support/fake-vault';
import { tempFolder } from '../../support/temp-folder';

type HttpDraft = Extract<ServerDraft['connection'], { kind: 'http' }>;
const literal = (value: string) => ({ kind: 'literal' as const, value });
const newSecret = (value: string) => ({ kind: 'new-secret' as const, value });
const stdio = (name: string, args: string[] = []): ServerDraft => ({
  name,
  connection: { kind: 'stdio', command: 'node', args: args.map(literal), env: [] },
});
const http = (name: string, endpoint: string, headers: HttpDraft['headers'] = []): ServerDraft => ({
  name,
  connection: { kind: 'http', endpoint, headers },
});
const withKey = (value: string) => http('Issues', 'https://tracker.example.com', [{ name: 'X-Key', value: newSecret(value) }]);
const you = { kind: 'you' as const };

function setUp(entries?: unknown[]) {
  const folder = tempFolder();
  const file = join(folder, 'servers.json');
  if (entries) writeFileSync(file, JSON.stringify({ version: 1, servers: entries }));
  const vault = new FakeVault();
  const clock = new FakeClock(1000);
  const open = () => new ServerStore({ document: openServersFile(folder), vault, clock });
  const store = open();
  const added = (draft: ServerDraft) => {
    const result = store.add(draft, you);
    if (!result.ok) throw new Error(result.problem);
    return result.value;
  };
  const config = (id: ServerId) => {
    const stored = store.get(id);
    if (stored?.kind !== 'ok') throw new Error('not a usable server');
    return stored.config;
  };
  const text = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return { store, open, vault, clock, added, config, file, text };
}
const entry = (id: string, change: object = {}) => ({
  id,
  name: id,
  namespace: id,
  connection: { kind: 'stdio', command: 'node', args: [], env: [] },
  enabled: true,
  ...change,
});
const kinds = (store: ServerStore) =>
  store.list().map((stored) => [stored.kind === 'ok' ? stored.config.name : stored.name, stored.kind]);
const reasons = (store: ServerStore) => store.list().map((stored) => (stored.kind === 'refused' ? stored.reason : null));

describe('adding', () => {
  test('S1 S8 N1: a new server is off, knows where it came from, and has a short name', () => {
    const { store, config } = setUp();
    const draft = { ...stdio('My Files'), enabled: true } as ServerDraft;
    const id = store.add(draft, { kind: 'imported', file: '/home/you/claude.json' });
    if (!id.ok) throw new Error(id.problem);
    expect(config(id.value)).toEqual({
      id: id.value,
      name: 'My Files',
      namespace: 'my-files',
      connection: draft.connection,
      enabled: false,
      source: { kind: 'imported', file: '/home/you/claude.json' },
      addedAt: 1000,
      limits: DEFAULT_LIMITS,
    });
  });

  test('S9: how the file of another app says an address is spoken to is kept', () => {
    const { store, config } = setUp();
    const wire = { protocol: 'sse', era: 'auto' } as const;
    const id = store.add({ ...http('A', 'https://a.example/sse'), wire }, you);
    expect(id.ok && config(id.value)?.wire).toEqual(wire);
  });

  test('S11: ids are made by the app, whatever a draft carries', () => {
    const { added } = setUp();
    const id = added({ ...stdio('Files'), id: 'chosen-by-a-file' } as ServerDraft);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f-]{27}$/);
  });

  test('N1: a suggested short name is one that nobody has', () => {
    const { added, config } = setUp();
    expect([added(stdio('Files')), added(stdio('files')), added(stdio('FILES'))].map((id) => config(id).namespace)).toEqual([
      'files',
      'files-2',
      'files-3',
    ]);
  });

  const refused: [draft: ServerDraft, reason: RegExp][] = [
    [http('A', 'http://mcp.example.com'), /Use an https address/],
    [http('A', 'http://127.1/'), /Use an https address/],
    [http('A', 'https://u:p@mcp.example.com'), /user name and password/],
    [{ ...stdio('A'), namespace: 'Has Capitals' }, /short name/],
    [{ ...stdio('A'), namespace: 'a__b' }, /short name/],
    [{ ...stdio('A'), namespace: '' }, /short name/],
    [{ ...stdio('A'), namespace: 'taken' }, /“taken” is the short name of another server.*taken-2/],
    [stdio('  '), /Check the name/],
    [
      {
        name: 'A',
        connection: { kind: 'stdio', command: 'x', args: [], env: [{ name: 'NODE_OPTIONS', value: newSecret('x') }] },
      },
      /NODE_OPTIONS changes what runs/,
    ],
    [
      {
        name: 'A',
        connection: { kind: 'stdio', command: 'x', args: [{ kind: 'secret', ref: 'secret-1' as SecretRef }], env: [] },
      },
      /Enter the secret again/,
    ],
    [http('A', 'https://a.example', [{ name: 'X-Key', value: newSecret('a\r\nEvil: 1') }]), /line end/],
  ];
  test.each(refused)('S2 S11: refuses %j and changes nothing', (draft, reason) => {
    const { store, added, vault, text } = setUp();
    added({ ...withKey('canary'), namespace: 'taken' });
    const before = text();
    const result = store.add(draft, you);
    expect(result.ok ? '' : result.problem).toMatch(reason);
    expect(text()).toBe(before);
    expect(vault.knownValues()).toEqual(['canary']);
  });

  test('S11: a short name of a refused entry is in use too', () => {
    const { store } = setUp([entry('files', { connection: { kind: 'http', endpoint: 'http://x.example', headers: [] } })]);
    expect(store.add({ ...stdio('A'), namespace: 'files' }, you).ok).toBe(false);
  });

  test('S5: a secret goes to the vault, and only its name to the file', () => {
    const { added, vault, text, config } = setUp();
    const id = added(withKey('canary-value'));
    expect(text()).not.toContain('canary-value');
    expect(vault.knownValues()).toEqual(['canary-value']);
    expect(config(id).connection).toMatchObject({ headers: [{ name: 'X-Key', value: { kind: 'secret', ref: 'secret-1' } }] });
  });

  test('S5: a secret argument goes to the vault, and its place among the others stays', () => {
    const { added, vault, text, config } = setUp();
    const args = [literal('--api-key'), newSecret('canary-value'), literal('-v')];
    const id = added({ name: 'Issues', connection: { kind: 'stdio', command: 'node', args, env: [] } });
    expect([text().includes('canary-value'), vault.knownValues()]).toEqual([false, ['canary-value']]);
    const stored = [literal('--api-key'), { kind: 'secret', ref: 'secret-1' }, literal('-v')];
    expect(config(id).connection).toMatchObject({ args: stored });
  });

  test('S5: a secret that cannot be saved costs the whole add, and leaves none of the others behind', () => {
    const { store, vault, text } = setUp();
    const save = vault.save.bind(vault);
    vault.save = (value) => {
      if (value === 'second') vault.full = true;
      return save(value);
    };
    const headers = ['first', 'second'].map((value) => ({ name: `X-${value}`, value: newSecret(value) }));
    expect(store.add(http('A', 'https://a.example', headers), you)).toEqual({
      ok: false,
      problem: 'The secret could not be saved.',
    });
    expect([vault.knownValues(), text()]).toEqual([[], '']);
  });

  test('S5: a secret does not stay behind when the add is refused', () => {
    const { store, added, vault } = setUp();
    added({ ...stdio('A'), namespace: 'taken' });
    expect(store.add({ ...withKey('canary'), namespace: 'taken' }, you).ok).toBe(false);
    expect(vault.knownValues()).toEqual([]);
  });

  test('the bundled sample is an ordinary server, off', () => {
    const { store } = setUp();
    store.add(sampleServer({ folder: '/home/you/q3', serverScriptPath: '/app/server.js', nodePath: 'node' }), { kind: 'sample' });
    expect(store.list()).toMatchObject([{ kind: 'ok', config: { name: 'Files', enabled: false, source: { kind: 'sample' } } }]);
  });
});

describe('what stands in the file', () => {
  test('S2 S4: a bad entry is listed refused, costs nobody else, and stays as it is', () => {
    const odd = {
      id: 'odd',
      name: 'Odd',
      namespace: 'odd',
      connection: { kind: 'http', endpoint: 'http://x.example', headers: [] },
      mine: [1],
    };
    const { store, text, added } = setUp([entry('a'), odd, 'nonsense', null]);
    expect(kinds(store).map(([, kind]) => kind)).toEqual(['ok', 'refused', 'refused', 'refused']);
    added(stdio('New'));
    expect(JSON.parse(text()).servers.slice(1, 4)).toEqual([odd, 'nonsense', null]);
  });

  test('S2: an entry without a usable id can be told from another, and removed', () => {
    const { store, text } = setUp(['x', 'x', { name: 'No id' }, entry('a')]);
    const ids = store.list().map(idOfStored);
    expect(new Set(ids).size).toBe(4);
    expect(store.remove(ids[1]!).ok).toBe(true);
    expect(JSON.parse(text()).servers).toHaveLength(3);
    expect(store.update(ids[2]!, stdio('Named')).ok).toBe(false);
  });

  test('S11 X3: of two entries with one id both are refused', () => {
    const { store } = setUp([entry('a'), entry('a', { namespace: 'b' }), entry('c')]);
    expect(kinds(store).map(([, kind]) => kind)).toEqual(['refused', 'refused', 'ok']);
    expect(store.get('a' as ServerId)).toBeNull();
    expect(new Set(store.list().map(idOfStored)).size).toBe(3);
  });

  test('S11: of two entries with one short name both are refused until one is renamed', () => {
    const { store } = setUp([entry('a', { namespace: 'files' }), entry('b', { namespace: 'files' })]);
    expect(reasons(store)).toEqual([
      '“files” is also the short name of “b”. Give one of the two another short name.',
      '“files” is also the short name of “a”. Give one of the two another short name.',
    ]);
    expect(store.setEnabled('a' as ServerId, true).ok).toBe(false);
    expect(store.update('b' as ServerId, { ...stdio('b'), namespace: 'other' })).toEqual({ ok: true, value: undefined });
    expect(kinds(store)).toEqual([
      ['a', 'ok'],
      ['b', 'ok'],
    ]);
  });

  test('S5 X3: of two entries with one saved secret both are refused', () => {
    const connection = {
      kind: 'http',
      endpoint: 'https://a.example',
      headers: [{ name: 'X', value: { kind: 'secret', ref: 'secret-9' } }],
    };
    const evil = {
      kind: 'http',
      endpoint: 'https://evil.example',
      headers: [{ name: 'Y', value: { kind: 'secret', ref: 'secret-9' } }],
    };
    const { store } = setUp([entry('a', { connection }), entry('b', { connection: evil })]);
    expect(kinds(store).map(([, kind]) => kind)).toEqual(['refused', 'refused']);
  });

  test('N1: an entry without a legal short name is off until the user accepts one', () => {
    const { store, config } = setUp([entry('a', { namespace: 'Not Legal' })]);
    const id = 'a' as ServerId;
    expect(config(id)).toMatchObject({ namespace: null, enabled: false });
    expect(store.setEnabled(id, true).ok).toBe(false);
    expect(store.update(id, { ...stdio('a'), namespace: 'legal' }).ok).toBe(true);
    expect(config(id)).toMatchObject({ namespace: 'legal', enabled: false });
  });

  test('S4: an unreadable file is no servers and a sentence, and is never written over', () => {
    const { file, open, text } = setUp();
    writeFileSync(file, '{ "version": 1, "servers": [');
    const store = open();
    expect(store.list()).toEqual([]);
    expect(store.problem()).toMatch(/servers\.json could not be read/);
    expect(store.add(stdio('A'), you).ok).toBe(false);
    expect(text()).toBe('{ "version": 1, "servers": [');
  });

  test('S4: what this version does not know stays in the file', () => {
    const { store, text } = setUp([entry('a', { later: { x: 1 } })]);
    store.setEnabled('a' as ServerId, false);
    store.update('a' as ServerId, stdio('Renamed'));
    expect(JSON.parse(text()).servers[0]).toMatchObject({ name: 'Renamed', later: { x: 1 }, enabled: false });
  });
});

describe('editing', () => {
  const changes: [what: string, draft: ServerDraft, stays: boolean][] = [
    ['the same again', stdio('a', ['x']), true],
    ['another name', stdio('Renamed', ['x']), true],
    ['another short name', { ...stdio('a', ['x']), namespace: 'renamed' }, true],
    ['another argument', stdio('a', ['y']), false],
    ['one argument more', stdio('a', ['x', '']), false],
    ['another command', { name: 'a', connection: { kind: 'stdio', command: 'deno', args: [literal('x')], env: [] } }, false],
    [
      'another folder',
      { name: 'a', connection: { kind: 'stdio', command: 'node', args: [literal('x')], env: [], cwd: '/' } },
      false,
    ],
    [
      'one variable more',
      {
        name: 'a',
        connection: { kind: 'stdio', command: 'node', args: [literal('x')], env: [{ name: 'A', value: literal('1') }] },
      },
      false,
    ],
    ['an address instead', http('a', 'https://a.example'), false],
  ];
  test.each(changes)('S3 T2: %s', (_what, draft, stays) => {
    const { store, config, added } = setUp();
    const id = added(stdio('a', ['x']));
    store.setEnabled(id, true);
    expect(store.update(id, draft).ok).toBe(true);
    expect(config(id).enabled).toBe(stays);
  });

  test.each(changes)('S3: %s never turns a server on', (_what, draft) => {
    const { store, config, added } = setUp();
    const id = added(stdio('a', ['x']));
    expect(store.update(id, { ...draft, enabled: true } as ServerDraft).ok).toBe(true);
    expect(config(id).enabled).toBe(false);
  });

  const refused: ServerDraft[] = [
    http('a', 'http://mcp.example.com'),
    { ...stdio('a'), namespace: 'taken' },
    { ...stdio('a'), namespace: 'Bad' },
    stdio(''),
    http('a', 'https://a.example', [{ name: 'X', value: { kind: 'secret', ref: 'secret-1' as SecretRef } }]),
  ];
  test.each(refused.map((draft) => [draft]))('S2: a refused edit changes nothing: %j', (draft) => {
    const { store, added, text, vault } = setUp();
    added({ ...withKey('of another server'), namespace: 'taken' });
    const id = added(stdio('a'));
    store.setEnabled(id, true);
    const before = text();
    expect(store.update(id, draft).ok).toBe(false);
    expect(text()).toBe(before);
    expect(vault.knownValues()).toEqual(['of another server']);
  });

  test('S2 S3: an entry that was refused is fixed by an edit, and stays off', () => {
    const { store, config } = setUp([entry('a', { connection: { kind: 'http', endpoint: 'http://x.example', headers: [] } })]);
    expect(store.update('a' as ServerId, http('a', 'https://x.example')).ok).toBe(true);
    expect(config('a' as ServerId)).toMatchObject({ enabled: false, connection: { endpoint: 'https://x.example' } });
  });

  test('S5: a secret that is kept stays, one that is replaced or dropped goes', () => {
    const { store, added, vault, config } = setUp();
    const id = added(withKey('old'));
    const { connection } = config(id);
    expect(store.update(id, { name: 'Renamed', connection }).ok).toBe(true);
    expect(vault.knownValues()).toEqual(['old']);
    expect(store.update(id, withKey('new')).ok).toBe(true);
    expect(vault.knownValues()).toEqual(['new']);
    expect(store.update(id, http('Issues', 'https://tracker.example.com')).ok).toBe(true);
    expect(vault.knownValues()).toEqual([]);
  });

  const secretArgs = (...args: ReturnType<typeof newSecret | typeof literal>[]): ServerDraft => ({
    name: 'a',
    connection: { kind: 'stdio', command: 'node', args, env: [{ name: 'TOKEN', value: newSecret('old') }] },
  });
  const replaced: [what: string, first: ServerDraft, then: ServerDraft, values: string[]][] = [
    ['of a header', withKey('old'), withKey('new'), ['new']],
    [
      'of a variable',
      secretArgs(literal('x')),
      {
        name: 'a',
        connection: { kind: 'stdio', command: 'node', args: [literal('x')], env: [{ name: 'TOKEN', value: newSecret('new') }] },
      },
      ['new'],
    ],
    [
      'of an argument',
      secretArgs(literal('--key'), newSecret('first')),
      secretArgs(literal('--key'), newSecret('second')),
      ['second', 'old'],
    ],
  ];
  test.each(replaced)('T2 S3: replacing the value %s keeps its reference and the switch, and tells whoever runs', (...row) => {
    const [, first, then, values] = row;
    const { store, added, vault, config, text } = setUp();
    const id = added(first);
    store.setEnabled(id, true);
    const told: ServerId[] = [];
    store.onSecretsReplaced((of) => told.push(of));
    const [before, connection] = [text(), config(id).connection];
    expect(store.update(id, then)).toEqual({ ok: true, value: undefined });
    expect([config(id).connection, config(id).enabled, text()]).toEqual([connection, true, before]);
    expect([vault.knownValues(), told]).toEqual([values, [id]]);
  });

  const otherwise: [what: string, then: ServerDraft][] = [
    ['under another name', http('Issues', 'https://tracker.example.com', [{ name: 'X-Other', value: newSecret('new') }])],
    ['for another address', http('Issues', 'https://evil.example', [{ name: 'X-Key', value: newSecret('new') }])],
    ['in plain text', http('Issues', 'https://tracker.example.com', [{ name: 'X-Key', value: literal('new') }])],
  ];
  test.each(otherwise)('S3 T2: a new value %s turns the server off', (_what, then) => {
    const { store, added, vault, config } = setUp();
    const id = added(withKey('old'));
    store.setEnabled(id, true);
    expect(store.update(id, then).ok).toBe(true);
    expect([config(id).enabled, vault.knownValues().includes('old')]).toEqual([false, false]);
  });

  test('T2: a secret that only moved keeps its value, and the one typed in its old place is a new one', () => {
    const { store, added, vault, config } = setUp();
    const id = added(secretArgs(newSecret('one')));
    const before = config(id).connection;
    if (before.kind !== 'stdio') throw new Error('not a program');
    const args = [newSecret('two'), ...before.args];
    expect(store.update(id, { name: 'a', connection: { ...before, args } }).ok).toBe(true);
    const after = config(id).connection;
    const read = after.kind === 'stdio' ? after.args.map((value) => value.kind === 'secret' && vault.read(value.ref)) : [];
    expect(read).toEqual([
      { ok: true, value: 'two' },
      { ok: true, value: 'one' },
    ]);
  });

  test('S2 S5: a refused edit leaves the old value of a secret, and tells nobody', () => {
    const { store, added, vault, config } = setUp();
    added({ ...stdio('Other'), namespace: 'taken' });
    const id = added(withKey('old'));
    store.onSecretsReplaced(() => expect.unreachable());
    expect(store.update(id, { ...withKey('new'), namespace: 'taken' }).ok).toBe(false);
    vault.full = true;
    expect(store.update(id, withKey('new'))).toEqual({ ok: false, problem: 'The secret could not be saved.' });
    expect([config(id).enabled, vault.knownValues()]).toEqual([false, ['old']]);
  });

  test('S5: where the entry cannot be written after its secret was replaced, the old value comes back', () => {
    const { store, added, vault, file } = setUp();
    const id = added(withKey('old'));
    const replace = vault.replace.bind(vault);
    vault.replace = (ref, value) => {
      replace(ref, value);
      // Somebody takes the lock over meanwhile, as after a sleep of this computer.
      writeFileSync(`${file}.lock`, JSON.stringify({ pid: process.pid, at: Date.now(), token: 'of another' }));
    };
    const changed = store.update(id, { ...withKey('new'), name: 'Renamed' });
    expect([changed.ok, vault.knownValues()]).toEqual([false, ['old']]);
  });

  test('X3: typing a secret anew in one of two entries that share one does not change it for the other', () => {
    const headers = [{ name: 'X-Key', value: { kind: 'secret', ref: 'secret-1' } }];
    const connection = { kind: 'http', endpoint: 'https://a.example', headers };
    const { store, vault } = setUp([entry('a', { connection }), entry('b', { connection })]);
    const shared = vault.save('shared');
    expect(store.update('b' as ServerId, withKey('mine')).ok).toBe(true);
    expect([vault.read(shared), kinds(store).map(([, kind]) => kind)]).toEqual([{ ok: true, value: 'shared' }, ['ok', 'ok']]);
  });

  test('S11: a server that is gone cannot be edited, switched or removed', () => {
    const { store } = setUp();
    const nobody = 'nobody' as ServerId;
    const gone = { ok: false, problem: 'That server was removed.' };
    expect([store.update(nobody, stdio('a')), store.setEnabled(nobody, true), store.remove(nobody)]).toEqual([gone, gone, gone]);
  });

  test('W2 R3: limits are kept within bounds', () => {
    const { store, added, config } = setUp();
    const id = added(stdio('a'));
    expect(store.setLimits(id, { ...DEFAULT_LIMITS, maxTools: 500, maxReplyBytes: 10 ** 12 }).ok).toBe(true);
    expect(config(id).limits).toEqual({ ...DEFAULT_LIMITS, maxTools: 500 });
  });
});

describe('how a server is spoken to', () => {
  const spoken = { kind: 'http' as const, endpoint: 'https://a.example/mcp', headers: [] };

  test('S3, T2: another transport turns it off, another era does not', () => {
    const { store, added, config } = setUp();
    const id = added({ name: 'A', connection: spoken });
    store.setEnabled(id, true);
    expect(store.setWire(id, { protocol: 'auto', era: 'legacy' }).ok).toBe(true);
    expect([config(id).enabled, config(id).wire]).toEqual([true, { protocol: 'auto', era: 'legacy' }]);
    expect(store.setWire(id, { protocol: 'sse', era: 'legacy' }).ok).toBe(true);
    expect([config(id).enabled, config(id).wire]).toEqual([false, { protocol: 'sse', era: 'legacy' }]);
    store.setEnabled(id, true);
    expect(store.setWire(id, { protocol: 'sse', era: 'auto' }).ok).toBe(true);
    expect(config(id).enabled).toBe(true);
  });

  test('S3: an edit of anything else keeps it, and nothing turns a server on', () => {
    const { store, added, config } = setUp();
    const id = added({ name: 'A', connection: spoken });
    store.setWire(id, { protocol: 'sse', era: 'auto' });
    store.update(id, { name: 'B', connection: spoken });
    expect([config(id).wire, config(id).enabled]).toEqual([{ protocol: 'sse', era: 'auto' }, false]);
  });

  test('S2: what nobody knows reads as automatic, and an entry from before there was a choice stays as it is', () => {
    const { store, added, config, file, text, open } = setUp();
    const id = added({ name: 'A', connection: spoken });
    expect(config(id).wire).toBeUndefined();
    store.setWire(id, { protocol: 'sse', era: 'modern' });
    writeFileSync(file, text().replace('"sse"', '"carrier pigeon"'));
    const again = open().get(id);
    expect(again?.kind === 'ok' && again.config.wire).toEqual({ protocol: 'auto', era: 'modern' });
  });
});

test('S11: removing a server removes its secrets and tells everyone who kept something under its id', () => {
  const { store, added, vault, text } = setUp();
  const id = added(withKey('canary'));
  const other = added({ ...withKey('of another'), namespace: 'other' });
  const told: ServerId[] = [];
  store.onRemoved((removed) => told.push(removed));
  expect(store.remove(id).ok).toBe(true);
  expect([told, vault.knownValues()]).toEqual([[id], ['of another']]);
  expect(text()).not.toContain(id);
  expect(store.list().map(idOfStored)).toEqual([other]);
});

test('S11: the secrets of a refused entry go with it', () => {
  const vaultOf = setUp();
  const id = vaultOf.added(withKey('canary'));
  writeFileSync(vaultOf.file, vaultOf.text().replace('https://tracker', 'http://tracker'));
  const store = vaultOf.open();
  expect(store.get(id)?.kind).toBe('refused');
  store.remove(id);
  expect(vaultOf.vault.knownValues()).toEqual([]);
});

test('S4: two writers do not undo each other', () => {
  const { store, open, added } = setUp();
  const second = open();
  const id = added(stdio('One'));
  second.add(stdio('Two'), you);
  store.setEnabled(id, true);
  expect(kinds(open())).toEqual([
    ['One', 'ok'],
    ['Two', 'ok'],
  ]);
});

test('N1: two writers cannot take one short name', () => {
  const { store, open } = setUp();
  const second = open();
  expect(store.add({ ...stdio('One'), namespace: 'files' }, you).ok).toBe(true);
  expect(second.add({ ...stdio('Two'), namespace: 'files' }, you).ok).toBe(false);
});

test('listeners hear of every change, and of nothing else', () => {
  const { store, added } = setUp();
  let heard = 0;
  const stop = store.onChange(() => heard++);
  const id = added(stdio('a'));
  store.setEnabled(id, true);
  store.setEnabled(id, true);
  store.add(http('a', 'http://x.example'), you);
  expect(heard).toBe(2);
  stop();
  store.remove(id);
  expect(heard).toBe(2);
});

describe('what another program does to the file while the app runs', () => {
  function setUpFollowed() {
    const parts = setUp();
    const gone: ServerId[] = [];
    let heard = 0;
    parts.store.onRemoved((id) => gone.push(id));
    const id = parts.added(withKey('canary-value'));
    parts.store.onChange(() => heard++);
    const rewrite = async (change: (servers: object[]) => object[]) => {
      const before = heard;
      const file = JSON.parse(parts.text()) as { servers: object[] };
      writeFileSync(parts.file, JSON.stringify({ ...file, servers: change(file.servers) }));
      await vi.waitFor(() => expect(heard).toBeGreaterThan(before));
    };
    return { ...parts, id, gone, rewrite };
  }

  test('S7, S11: an entry that was taken out is gone at once, and forgotten with its secrets when it stays away', async () => {
    const { store, clock, vault, id, gone, rewrite } = setUpFollowed();
    await rewrite(() => []);
    expect([store.list(), gone]).toEqual([[], []]);
    clock.advance(GONE_AFTER_MS);
    expect([gone, vault.knownValues()]).toEqual([[id], []]);
  });

  test('S7, S11: one that comes back within moments, as a program in two steps saves it, keeps what is kept under its id', async () => {
    const { clock, vault, gone, rewrite } = setUpFollowed();
    let entries: object[] = [];
    await rewrite((servers) => ((entries = servers), []));
    clock.advance(GONE_AFTER_MS - 1);
    await rewrite(() => entries);
    clock.advance(GONE_AFTER_MS);
    expect([gone, vault.knownValues()]).toEqual([[], ['canary-value']]);
  });

  test('S11, X3: what left the file while the app was closed is forgotten at the next start, unless the file cannot be read', () => {
    const { store, clock, id, gone, file } = setUpFollowed();
    store.expectEntries([id, 'left-before' as ServerId]);
    clock.advance(GONE_AFTER_MS);
    expect(gone).toEqual(['left-before']);
    writeFileSync(file, '{');
    const unread = new ServerStore({ document: openServersFile(join(file, '..')), vault: new FakeVault(), clock });
    unread.onRemoved((removed) => gone.push(removed));
    unread.expectEntries([id]);
    clock.advance(GONE_AFTER_MS);
    expect(gone).toEqual(['left-before']);
    unread.close();
  });

  test('S11, X3: what left the file while the app was closed is forgotten at the next start, unless the file cannot be read', () => {
    const { store, clock, id, gone, file } = setUpFollowed();
    store.expectEntries([id, 'left-before' as ServerId]);
    clock.advance(GONE_AFTER_MS);
    expect(gone).toEqual(['left-before']);
    writeFileSync(file, '{');
    const unread = new ServerStore({ document: openServersFile(join(file, '..')), vault: new FakeVault(), clock });
    unread.onRemoved((removed) => gone.push(removed));
    unread.expectEntries([id]);
    clock.advance(GONE_AFTER_MS);
    expect(gone).toEqual(['left-before']);
    unread.close();
  });

  test('X3, S11: an id that stands twice is refused, and nothing kept under it is deleted or handed on', async () => {
    const { store, clock, gone, rewrite } = setUpFollowed();
    await rewrite((servers) => [...servers, { ...servers[0], namespace: 'other' }]);
    clock.advance(GONE_AFTER_MS);
    expect([store.list().map(({ kind }) => kind), gone]).toEqual([['refused', 'refused'], []]);
  });

  test('S7, S1: an entry another program adds has to be turned on here, whatever it says', async () => {
    const { store, rewrite } = setUpFollowed();
    await rewrite((servers) => [...servers, entry('added', { enabled: 'true', trusted: true })]);
    expect(store.get('added' as ServerId)).toMatchObject({ kind: 'ok', config: { enabled: false } });
  });
});
