import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openSecrets } from '../../../src-main/secrets/secrets';
import { SecretNotSavedError } from '../../../src-main/secrets/secret-vault';
import { SecretRefSchema } from '../../../src-shared/servers/server.schema';
import { FakeKeychain } from '../../support/fake-keychain';
import { tempFolder } from '../../support/temp-folder';

const CANARY = 'canary-8d1f0c66';

function setUp(mode: FakeKeychain['mode'] = 'unlocked') {
  const folder = tempFolder();
  const keychain = new FakeKeychain(mode);
  return { folder, keychain, open: () => openSecrets({ folder, keychain }) };
}

const everythingIn = (folder: string) =>
  readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');

describe('with an unlocked keychain', () => {
  test('S5: makes one master key of 32 bytes, once, and lets go of the keychain', async () => {
    const { keychain, open } = setUp();
    expect((await open()).state).toBe('ready');
    const [made] = keychain.items.values();
    expect((await open()).state).toBe('ready');
    expect([...keychain.items]).toEqual([['master-key-v1', made]]);
    expect(Buffer.from(made ?? '', 'base64')).toHaveLength(32);
    expect(keychain.ended).toBe(2);
  });

  test('S5: a secret comes back after a restart and stands nowhere in the clear', async () => {
    const { folder, open } = setUp();
    const ref = (await open()).vault.save(CANARY);
    const { vault } = await open();
    expect(vault.read(ref)).toEqual({ ok: true, value: CANARY });
    expect(vault.knownValues()).toEqual([CANARY]);
    const onDisk = everythingIn(folder);
    expect(onDisk).not.toContain(CANARY);
    expect(onDisk).not.toContain(Buffer.from(CANARY).toString('base64').slice(0, -3));
    expect(statSync(join(folder, 'secrets.json')).mode & 0o777).toBe(0o600);
  });

  test('S5: the master key stands in no file', async () => {
    const { folder, keychain, open } = setUp();
    (await open()).vault.save(CANARY);
    for (const key of keychain.items.values()) expect(everythingIn(folder)).not.toContain(key);
  });

  test('S10: seals hold after a restart, and keys stay the same', async () => {
    const { open } = setUp();
    const first = await open();
    const second = await open();
    expect(second.sealer.holds('review', { a: 1 }, first.sealer.seal('review', { a: 1 }))).toBe(true);
    expect(second.keyFor('ledger')).toEqual(first.keyFor('ledger'));
    expect(second.keyFor('ledger')).not.toEqual(second.keyFor('other'));
  });

  test('S5: one secret put in the place of another does not open', async () => {
    const { folder, open } = setUp();
    const { vault } = await open();
    const [one, two] = [vault.save('value of one'), vault.save('value of two')];
    const file = join(folder, 'secrets.json');
    const content = JSON.parse(readFileSync(file, 'utf8'));
    content.secrets[one] = content.secrets[two];
    writeFileSync(file, JSON.stringify(content));
    const reopened = (await open()).vault;
    expect(reopened.read(one)).toEqual({ ok: false, problem: 'missing' });
    expect(reopened.read(two)).toEqual({ ok: true, value: 'value of two' });
  });

  test('S5: a changed byte does not open', async () => {
    const { folder, open } = setUp();
    const ref = (await open()).vault.save(CANARY);
    const file = join(folder, 'secrets.json');
    const content = JSON.parse(readFileSync(file, 'utf8'));
    const data = Buffer.from(content.secrets[ref].data, 'base64');
    data[0] = (data[0] ?? 0) ^ 1;
    content.secrets[ref].data = data.toString('base64');
    writeFileSync(file, JSON.stringify(content));
    expect((await open()).vault.read(ref)).toEqual({ ok: false, problem: 'missing' });
  });

  test('S11: a removed secret is gone from the file, and is still masked for the rest of the run', async () => {
    const { folder, open } = setUp();
    const { vault } = await open();
    const ref = vault.save(CANARY);
    vault.remove(ref);
    expect(vault.read(ref)).toEqual({ ok: false, problem: 'missing' });
    expect(vault.knownValues()).toEqual([CANARY]);
    expect(everythingIn(folder)).not.toContain(ref);
    expect((await open()).vault.knownValues()).toEqual([]);
  });

  test('S5 T2: a replaced secret has its new value behind the same reference, and the old one is still masked in this run', async () => {
    const { folder, open } = setUp();
    const { vault } = await open();
    const ref = vault.save(CANARY);
    vault.replace(ref, 'second value');
    expect([vault.read(ref), vault.knownValues()]).toEqual([{ ok: true, value: 'second value' }, [CANARY, 'second value']]);
    const next = (await open()).vault;
    expect([next.read(ref), next.knownValues()]).toEqual([{ ok: true, value: 'second value' }, ['second value']]);
    expect(everythingIn(folder)).not.toContain('second value');
  });

  test('S5: a secret that cannot be replaced keeps its old value', async () => {
    const { folder, open } = setUp();
    const { vault } = await open();
    const ref = vault.save(CANARY);
    const text = readFileSync(join(folder, 'secrets.json'), 'utf8');
    writeFileSync(join(folder, 'secrets.json'), '{"version":1,');
    expect(() => vault.replace(ref, 'second value')).toThrow(SecretNotSavedError);
    writeFileSync(join(folder, 'secrets.json'), text);
    expect([vault.read(ref), (await open()).vault.read(ref)]).toEqual([
      { ok: true, value: CANARY },
      { ok: true, value: CANARY },
    ]);
  });

  test('S7: a secret replaced by another process is read and masked with its new value', async () => {
    const { open } = setUp();
    const [app, commandLine] = [await open(), await open()];
    const ref = commandLine.vault.save(CANARY);
    expect(app.vault.read(ref)).toEqual({ ok: true, value: CANARY });
    commandLine.vault.replace(ref, 'second value');
    await expect.poll(() => app.vault.read(ref)).toEqual({ ok: true, value: 'second value' });
    expect(app.vault.knownValues()).toEqual([CANARY, 'second value']);
  });

  test('S7: a secret saved by another process is found and masked', async () => {
    const { open } = setUp();
    const [app, commandLine] = [await open(), await open()];
    const ref = commandLine.vault.save(CANARY);
    expect(app.vault.read(ref)).toEqual({ ok: true, value: CANARY });
    expect(app.vault.knownValues()).toEqual([CANARY]);
  });

  test('a reference nobody made is missing', async () => {
    const ref = SecretRefSchema.parse('secret-none');
    expect((await setUp().open()).vault.read(ref)).toEqual({ ok: false, problem: 'missing' });
    expect((await setUp('absent').open()).vault.read(ref)).toEqual({ ok: false, problem: 'missing' });
  });

  test('S4: a secrets file that cannot be read is not written over, and saving says so', async () => {
    const { folder, open } = setUp();
    await open();
    writeFileSync(join(folder, 'secrets.json'), '{"version":1,');
    const { vault } = await open();
    expect(() => vault.save(CANARY)).toThrow(SecretNotSavedError);
    expect(readFileSync(join(folder, 'secrets.json'), 'utf8')).toBe('{"version":1,');
  });
});

describe('without the key', () => {
  const closed: [mode: FakeKeychain['mode'], state: string][] = [
    ['locked', 'locked'],
    ['absent', 'absent'],
  ];
  test.each(closed)('S5: a keychain that is %s leaves the vault untouched and makes no new key', async (mode, state) => {
    const { folder, keychain, open } = setUp();
    const ref = (await open()).vault.save(CANARY);
    const [before, items] = [everythingIn(folder), [...keychain.items]];

    keychain.mode = mode;
    const secrets = await open();
    expect(secrets.state).toBe(state);
    expect(secrets.vault.read(ref)).toEqual({ ok: false, problem: 'locked' });
    // In memory alone it would be the old value again once the keychain opens.
    expect(() => secrets.vault.replace(ref, 'new value')).toThrow(/keychain is locked/);
    const other = secrets.vault.save('another value');
    expect(secrets.vault.read(other)).toEqual({ ok: true, value: 'another value' });
    expect(everythingIn(folder)).toBe(before);
    expect([...keychain.items]).toEqual(items);

    keychain.mode = 'unlocked';
    expect((await open()).vault.read(ref)).toEqual({ ok: true, value: CANARY });
  });

  const neverMade: [mode: FakeKeychain['mode'], state: string][] = [
    ['absent', 'absent'],
    ['locked', 'memory-only'],
    ['forgetful', 'memory-only'],
  ];
  test.each(neverMade)('S5: a keychain that is %s from the first start keeps everything in memory', async (mode, state) => {
    const { folder, open } = setUp(mode);
    const first = await open();
    expect(first.state).toBe(state);
    const ref = first.vault.save(CANARY);
    expect(first.vault.read(ref)).toEqual({ ok: true, value: CANARY });
    expect(first.vault.knownValues()).toEqual([CANARY]);
    const seal = first.sealer.seal('review', { a: 1 });
    expect(first.sealer.holds('review', { a: 1 }, seal)).toBe(true);
    expect(readdirSync(folder)).toEqual([]);

    const second = await open();
    expect(second.vault.read(ref)).toEqual({ ok: false, problem: 'missing' });
    expect(second.sealer.holds('review', { a: 1 }, seal)).toBe(false);
    expect(second.keyFor('ledger')).not.toEqual(first.keyFor('ledger'));
  });

  const doubtful: [because: string, file: string, text: string][] = [
    ['the index cannot be read', 'keychain-index.json', '{'],
    [
      'secrets stand there without an index',
      'secrets.json',
      '{"version":1,"secrets":{"secret-a":{"iv":"AAAA","tag":"AAAA","data":"AAAA"}}}',
    ],
    ['the secrets file cannot be read', 'secrets.json', 'x'],
  ];
  test.each(doubtful)('S5: makes no new key when %s', async (_because, file, text) => {
    const { folder, keychain, open } = setUp();
    writeFileSync(join(folder, file), text);
    expect((await open()).state).toBe('locked');
    expect(keychain.items.size).toBe(0);
    expect(readFileSync(join(folder, file), 'utf8')).toBe(text);
  });

  test('S5: what stands under our name and is no key of ours is not replaced', async () => {
    const { folder, keychain, open } = setUp();
    keychain.items.set('master-key-v1', 'short');
    expect((await open()).state).toBe('locked');
    expect(keychain.items.get('master-key-v1')).toBe('short');
    expect(existsSync(join(folder, 'keychain-index.json'))).toBe(false);
  });

  test('S5: a key that is still there after the user data was removed is used again', async () => {
    const { keychain, open } = setUp();
    await open();
    const before = [...keychain.items];
    expect((await openSecrets({ folder: tempFolder(), keychain })).state).toBe('ready');
    expect([...keychain.items]).toEqual(before);
  });
});
