import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ModelDraft, ModelId } from '../../../src-shared/models/model.schema';
import { ModelStore, openModelsFile } from '../../../src-main/models/model-store';
import { openTrustFile } from '../../../src-main/servers/sealed-records';
import { TrustStore } from '../../../src-main/servers/trust-store';
import { FakeClock } from '../../support/fake-clock';
import { fakeSealer } from '../../support/fake-sealer';
import { runCounter } from '../../support/run-counter';
import { FakeVault } from '../../support/fake-vault';
import { tempFolder } from '../../support/temp-folder';

const remote: ModelDraft = { name: 'Big one', endpoint: 'https://api.example.com/v1', model: 'big-1', newKey: 'canary-key' };
const local: ModelDraft = { name: 'Small one', endpoint: 'http://127.0.0.1:11434/v1', model: 'small-1' };
const withoutKey = (draft: ModelDraft): ModelDraft => ({ name: draft.name, endpoint: draft.endpoint, model: draft.model });

function setUp(entries?: unknown[]) {
  const folder = tempFolder();
  const file = join(folder, 'models.json');
  if (entries) writeFileSync(file, JSON.stringify({ version: 1, models: entries }));
  const vault = new FakeVault();
  const open = () => {
    const clock = new FakeClock(1000);
    const trust = new TrustStore({ document: openTrustFile(folder), sealer: fakeSealer(), generation: runCounter(), clock });
    return new ModelStore({ document: openModelsFile(folder), vault, trust, clock });
  };
  const store = open();
  const added = (draft: ModelDraft) => {
    const result = store.add(draft);
    if (!result.ok) throw new Error(result.problem);
    return result.value;
  };
  const edit = (change: (entry: Record<string, unknown>) => void) => {
    const parsed: { models: Record<string, unknown>[] } = JSON.parse(text());
    parsed.models.forEach(change);
    writeFileSync(file, JSON.stringify(parsed));
    return open();
  };
  const text = () => readFileSync(file, 'utf8');
  return { store, open, added, vault, edit, file, text, folder };
}

test('P1 S10: a new model is off, and its row says where it goes', () => {
  const { store, added } = setUp();
  const ids = [added(remote), added(local)];
  expect(store.rows()).toEqual([
    {
      id: ids[0],
      name: 'Big one',
      endpoint: remote.endpoint,
      model: 'big-1',
      hasKey: true,
      on: false,
      leaves: true,
      host: 'api.example.com',
      refused: null,
    },
    {
      id: ids[1],
      name: 'Small one',
      endpoint: local.endpoint,
      model: 'small-1',
      hasKey: false,
      on: false,
      leaves: false,
      host: '127.0.0.1:11434',
      refused: null,
    },
  ]);
});

test('S5: the key goes to the vault, and only its name to the file', () => {
  const { store, added, vault, text } = setUp();
  const id = added(remote);
  expect(text()).not.toContain('canary-key');
  const key = store.get(id)?.key;
  expect(key && vault.read(key)).toEqual({ ok: true, value: 'canary-key' });
});

const refused: [draft: ModelDraft, reason: RegExp][] = [
  [{ ...remote, endpoint: 'http://api.example.com/v1' }, /https/],
  [{ ...remote, endpoint: 'http://127.1/v1' }, /https/],
  [{ ...remote, endpoint: 'https://u:p@api.example.com' }, /user name and password/],
  [{ ...remote, endpoint: 'https://api.example.com/v1?x=1' }, /from \? on/],
  [{ ...remote, endpoint: '' }, /full address/],
  [{ ...remote, name: '  ' }, /Check the name/],
  [{ ...remote, model: '' }, /Check the model name/],
  [{ ...remote, newKey: 'a\r\nEvil: 1' }, /line end/],
];
test.each(refused)('E1 S2: an add or edit as %j is refused and changes nothing', (draft, reason) => {
  const { store, added, vault, text } = setUp();
  const id = added({ ...local, newKey: 'first' });
  store.setOn(id, true);
  const before = text();
  for (const result of [store.add(draft), store.update(id, draft)]) expect(result.ok ? '' : result.problem).toMatch(reason);
  expect([text(), vault.knownValues(), store.isOn(id)]).toEqual([before, ['first'], true]);
});

test('S5: a key that cannot be saved costs the add', () => {
  const { store, vault } = setUp();
  vault.full = true;
  expect(store.add(remote)).toEqual({ ok: false, problem: 'The secret could not be saved.' });
  expect(store.list()).toEqual([]);
});

test('S10: a switch holds after a restart', () => {
  const { store, added, open } = setUp();
  const id = added(remote);
  expect(store.setOn(id, true).ok).toBe(true);
  expect([open().isOn(id), open().get(id)?.key === null]).toEqual([true, false]);
  store.setOn(id, false);
  expect(open().isOn(id)).toBe(false);
});

describe('editing', () => {
  const edits: [what: string, draft: ModelDraft, on: boolean, keys: string[]][] = [
    ['the same again keeps switch and key', withoutKey(remote), true, ['canary-key']],
    ['another name keeps both', { ...withoutKey(remote), name: 'Renamed' }, true, ['canary-key']],
    ['another model keeps both', { ...withoutKey(remote), model: 'big-2' }, true, ['canary-key']],
    ['a new key replaces the old', { ...remote, newKey: 'second' }, true, ['second']],
    ['another host turns it off and drops the key', { ...withoutKey(remote), endpoint: 'https://evil.example/v1' }, false, []],
    ['another path does so too', { ...withoutKey(remote), endpoint: 'https://api.example.com/v2' }, false, []],
    [
      'another host with a key of its own has that one only',
      { ...remote, endpoint: 'https://b.example', newKey: 'second' },
      false,
      ['second'],
    ],
  ];
  test.each(edits)('K3 S3: %s', (_what, draft, on, keys) => {
    const { store, added, vault, text } = setUp();
    const id = added(remote);
    store.setOn(id, true);
    expect(store.update(id, draft)).toEqual({ ok: true, value: undefined });
    const key = store.get(id)?.key ?? null;
    expect(JSON.parse(text()).models[0].key).toBe(key);
    expect([store.isOn(id), vault.knownValues(), key === null]).toEqual([on, keys, keys.length === 0]);
  });

  test('K3: coming back to an earlier address finds neither switch nor key', () => {
    const { store, added } = setUp();
    const id = added(remote);
    store.setOn(id, true);
    store.update(id, { ...withoutKey(remote), endpoint: 'https://b.example' });
    store.update(id, withoutKey(remote));
    expect([store.isOn(id), store.get(id)?.key]).toEqual([false, null]);
  });
});

describe('X1: a program that writes models.json', () => {
  test('turns nothing on', () => {
    const { added, edit } = setUp();
    const id = added(remote);
    expect(edit((entry) => (entry['on'] = true)).isOn(id)).toBe(false);
  });

  test('cannot send the key, or the chat, to another address', () => {
    const { store, added, edit } = setUp();
    const id = added(remote);
    store.setOn(id, true);
    const after = edit((entry) => (entry['endpoint'] = 'https://evil.example/v1'));
    expect([after.isOn(id), after.get(id)?.key]).toEqual([false, null]);
    after.setOn(id, true);
    expect(after.get(id)?.key).toBeNull();
  });

  test('cannot lend a model the key of another', () => {
    const { store, added, edit } = setUp();
    const [big, small] = [added(remote), added(local)];
    const key = store.get(big)?.key;
    const after = edit((entry) => (entry['key'] = key));
    expect([after.get(small)?.key, after.get(big)?.key]).toEqual([null, key]);
  });
});

test('S2 S4: entries that break a rule are listed with the reason, never on, and stay as they are', () => {
  const entry = {
    id: 'model-a',
    name: 'A',
    kind: 'openai-compatible',
    endpoint: 'https://a.example',
    model: 'm',
    key: null,
    addedAt: 1,
    later: true,
  };
  const bad = [
    { ...entry, id: 'model-b', endpoint: 'http://a.example' },
    { ...entry, id: 'model-c' },
    { ...entry, id: 'model-c' },
    'nonsense',
    { id: '../x' },
  ];
  const { store, added, text } = setUp([entry, ...bad]);
  expect(store.rows().map(({ refused }) => refused?.split('.')[0] ?? null)).toEqual([
    null,
    'Use an https address',
    'Two entries carry the same id',
    'Two entries carry the same id',
    'This entry has no id that this app made',
    'This entry has no id that this app made',
  ]);
  expect(new Set(store.rows().map(({ id }) => id)).size).toBe(6);
  expect([store.setOn('model-b' as ModelId, true).ok, store.get('model-b' as ModelId)]).toEqual([false, null]);
  added(local);
  expect(JSON.parse(text()).models.slice(0, 6)).toEqual([entry, ...bad]);
  expect(store.update('model-b' as ModelId, local).ok).toBe(true);
  expect(store.get('model-b' as ModelId)).toMatchObject({ endpoint: local.endpoint, key: null });
  expect(store.remove(store.rows()[4]!.id).ok).toBe(true);
  expect(JSON.parse(text()).models).toHaveLength(6);
});

test('S11: removing a model removes its key and every sealed word about it', () => {
  const { store, added, vault, folder, text } = setUp();
  const id = added(remote);
  store.setOn(id, true);
  expect(store.remove(id).ok).toBe(true);
  expect([store.rows(), vault.knownValues()]).toEqual([[], []]);
  expect(text() + readFileSync(join(folder, 'trust.json'), 'utf8')).not.toContain(id);
  expect(store.remove(id)).toEqual({ ok: false, problem: 'That model was removed.' });
});

test('P3: every model is a route, refused ones too', () => {
  const { store, added } = setUp([{ id: 'model-b', name: 'B', endpoint: 'http://b.example' }]);
  const id = added(remote);
  store.setOn(id, true);
  expect(store.routeFacts()).toEqual([
    { id: 'model-b', name: 'B', endpoint: 'http://b.example', on: false },
    { id, name: 'Big one', endpoint: remote.endpoint, on: true },
  ]);
});

test('S4: an unreadable file is no models and a sentence', () => {
  const { file, open } = setUp();
  writeFileSync(file, '[');
  const store = open();
  expect([store.list(), store.add(remote).ok]).toEqual([[], false]);
  expect(store.problem()).toMatch(/models\.json could not be read/);
});
