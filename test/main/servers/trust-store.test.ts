import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src-shared/base/digest.schema';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import type { ToolDefinition } from '../../../src-shared/tools/tool.schema';
import { openSecrets } from '../../../src-main/secrets/secrets';
import { openTrustFile } from '../../../src-main/servers/sealed-records';
import type { ToolChoices } from '../../../src-main/servers/review-records';
import { openTrust, TrustStore } from '../../../src-main/servers/trust-store';
import { FakeClock } from '../../support/fake-clock';
import { FakeKeychain } from '../../support/fake-keychain';
import { fakeSealer } from '../../support/fake-sealer';
import { runCounter } from '../../support/run-counter';
import { tempFolder } from '../../support/temp-folder';

const files = 'id-files' as ServerId;
const other = 'id-other' as ServerId;
const digest = (letter: string) => letter.repeat(64) as Digest;
const definition = (rawName: string): ToolDefinition => ({
  rawName,
  description: 'Reads.',
  inputSchema: { type: 'object', properties: { ünï: { type: ['string', 'null'], default: null, maximum: 1.5 } } },
  claims: { readOnly: true },
});
const choices = (...names: string[]): ToolChoices => ({
  tools: new Map(names.map((name) => [name, { digest: digest('a'), offered: true, definition: definition(name) }])),
  instructions: { digest: digest('b'), text: 'Ask before you write.', told: true },
});

function setUp(folder = tempFolder(), key?: string) {
  const open = (withKey = key) =>
    new TrustStore({
      document: openTrustFile(folder),
      sealer: fakeSealer(withKey),
      generation: runCounter(),
      clock: new FakeClock(),
    });
  const file = join(folder, 'trust.json');
  const edit = (change: (file: Sections) => void) => {
    const parsed: Sections = JSON.parse(readFileSync(file, 'utf8'));
    change(parsed);
    writeFileSync(file, JSON.stringify(parsed));
  };
  /** Gives the file a seal that holds, so that nothing but the seals of the records is left to refuse it. */
  const reseal = () => {
    const { seal: _broken, ...sealed } = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...sealed, seal: fakeSealer(key).seal('trust-file', sealed) }));
  };
  return { trust: open(), reopen: open, edit, reseal, file };
}
type Sections = Record<'launches' | 'choices' | 'switches', Record<string, { value: Record<string, unknown>; seal?: unknown }>>;
const ALTERED = 'trust.json was changed outside of this app, so nothing in it counts. Review your servers again.';
const OLDER = 'trust.json is an older one than this app wrote, so nothing in it counts. Review your servers again.';
const everything = (trust: TrustStore) => ({
  launch: trust.launchTrust(files, 'fp-1'),
  approvedAt: trust.approvedAt(files),
  tools: trust.choices(files).tools.size,
  on: trust.isRouteOn('model-1'),
});
const NOTHING = { launch: 'never-approved', approvedAt: null, tools: 0, on: false };
function fill(trust: TrustStore) {
  trust.approveLaunch(files, 'fp-1', 5);
  trust.saveChoices(files, choices('read'));
  trust.setRouteOn('model-1', true);
}

test('S10: nothing is trusted in a fresh profile', () => {
  expect(everything(setUp().trust)).toEqual(NOTHING);
});

test('T2: a row tells never approved from approved and changed', () => {
  const { trust } = setUp();
  trust.approveLaunch(files, 'fp-1', 5);
  expect(['fp-1', 'fp-2'].map((fingerprint) => trust.launchTrust(files, fingerprint))).toEqual([
    'approved',
    'changed-since-approved',
  ]);
  expect(trust.launchTrust(other, 'fp-1')).toBe('never-approved');
});

test('S10: what was decided in the window holds after a restart with the same key', () => {
  const { trust, reopen } = setUp();
  fill(trust);
  expect(everything(reopen())).toEqual({ launch: 'approved', approvedAt: 5, tools: 1, on: true });
  expect(reopen().choices(files)).toEqual(choices('read'));
  expect(reopen().needsReview()).toEqual([]);
});

test('S5 S10: a key that lasted for one run only reads as none at the next start, and is listed', () => {
  const { trust, reopen } = setUp(undefined, 'memory only');
  fill(trust);
  const next = reopen('another run');
  expect(everything(next)).toEqual(NOTHING);
  expect(next.needsReview()).toEqual([
    { kind: 'launch', key: files },
    { kind: 'tools', key: files },
    { kind: 'switch', key: 'model-1' },
  ]);
});

describe('S10 X1: a program that writes the file turns nothing on', () => {
  const forgeries: [what: string, change: (file: Sections) => void][] = [
    ['a seal with one character changed', (file) => each(file, (record) => (record.seal = flip(String(record.seal))))],
    ['a seal taken out', (file) => each(file, (record) => delete record.seal)],
    ['an empty seal', (file) => each(file, (record) => (record.seal = ''))],
    ['a seal of another type', (file) => each(file, (record) => (record.seal = true))],
    ['a value with one field more', (file) => each(file, (record) => (record.value['x'] = 1))],
    [
      'the seals of two sections swapped',
      (file) =>
        ([file.launches[files]!.seal, file.choices[files]!.seal] = [file.choices[files]!.seal, file.launches[files]!.seal]),
    ],
  ];
  test.each(forgeries)('%s', (what, change) => {
    const { trust, edit, reseal, reopen } = setUp();
    fill(trust);
    edit(change);
    expect(everything(reopen())).toEqual(NOTHING);
    expect([reopen().needsReview().length, reopen().problem()]).toEqual([3, ALTERED]);
    reseal();
    const expected = what.startsWith('the seals') ? { ...NOTHING, on: true } : NOTHING;
    expect(everything(reopen())).toEqual(expected);
    expect(reopen().needsReview().length).toBe(what.startsWith('the seals') ? 2 : 3);
  });

  test('one byte of any value changed', () => {
    const { trust, file, reseal, reopen } = setUp();
    trust.approveLaunch(files, 'fp-1', 5);
    const text = readFileSync(file, 'utf8');
    for (const [from, to, fingerprint] of [
      ['fp-1', 'fp-2', 'fp-2'],
      ['"approvedAt": 5', '"approvedAt": 6', 'fp-1'],
    ] as const) {
      writeFileSync(file, text.replace(from, to));
      expect(reopen().launchTrust(files, fingerprint)).toBe('never-approved');
      reseal();
      expect(reopen().launchTrust(files, fingerprint)).toBe('never-approved');
    }
  });

  test('X3: the genuine record of another server, copied under this id', () => {
    const { trust, edit, reseal, reopen } = setUp();
    fill(trust);
    trust.setRouteOn('model-2', false);
    edit((file) => {
      file.launches[other] = file.launches[files]!;
      file.choices[other] = file.choices[files]!;
      file.switches['model-2'] = file.switches['model-1']!;
    });
    reseal();
    const after = reopen();
    expect([after.launchTrust(other, 'fp-1'), after.choices(other).tools.size, after.isRouteOn('model-2')]).toEqual([
      'never-approved',
      0,
      false,
    ]);
    expect(everything(after)).toEqual({ launch: 'approved', approvedAt: 5, tools: 1, on: true });
  });

  test('a tool switched on with an editor', () => {
    const { trust, edit, reseal, reopen } = setUp();
    trust.saveChoices(files, choices('read'));
    trust.setOffered(files, 'read', false);
    edit((file) => {
      const [tool] = file.choices[files]!.value['tools'] as { offered: boolean }[];
      tool!.offered = true;
    });
    expect(reopen().choices(files).tools.size).toBe(0);
    reseal();
    expect(reopen().choices(files).tools.size).toBe(0);
  });

  test('records of other shapes and odd names', () => {
    const { trust, reopen, reseal, file } = setUp();
    fill(trust);
    writeFileSync(
      file,
      '{"version":1,"launches":{"constructor":7,"__proto__":{"value":{},"seal":"x"},"id-files":null},"choices":{},"switches":{"model-1":[]}}',
    );
    expect(everything(reopen())).toEqual(NOTHING);
    reseal();
    expect(everything(reopen())).toEqual(NOTHING);
    expect(reopen().isRouteOn('constructor')).toBe(false);
    expect(reopen().launchTrust('constructor' as ServerId, 'x')).toBe('never-approved');
  });
});

test('S4: an unreadable file reads as no trust, and is not written over', () => {
  const { trust, file, reopen } = setUp();
  fill(trust);
  writeFileSync(file, '{ broken');
  const next = reopen();
  expect(everything(next)).toEqual(NOTHING);
  expect(next.problem()).toMatch(/trust\.json could not be read/);
  expect(next.approveLaunch(files, 'fp-1', 6).ok).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('{ broken');
});

test('R4 N6: choices are kept by raw name, whatever the name is', () => {
  const { trust, reopen } = setUp();
  const names = ['__proto__', 'constructor', 'get.item', 'get_item', 'ünï\u0000'];
  trust.saveChoices(files, choices(...names));
  expect([...reopen().choices(files).tools.keys()]).toEqual(names);
});

test('R4: only a reviewed tool can be switched', () => {
  const { trust } = setUp();
  trust.saveChoices(files, choices('read', 'write'));
  expect(trust.setOffered(files, 'write', false)).toEqual({ ok: true, value: undefined });
  expect([...trust.choices(files).tools].map(([name, { offered }]) => [name, offered])).toEqual([
    ['read', true],
    ['write', false],
  ]);
  expect(trust.setOffered(files, 'delete', true).ok).toBe(false);
  expect(trust.setOffered(other, 'read', true).ok).toBe(false);
});

test('T4: revoking takes the approval and keeps the review of the tools', () => {
  const { trust } = setUp();
  fill(trust);
  trust.revokeLaunch(files);
  expect(everything(trust)).toEqual({ launch: 'never-approved', approvedAt: null, tools: 1, on: true });
});

test('S11: forgetting a server leaves nothing of it in the file, and all of the others', () => {
  const { trust, file } = setUp();
  fill(trust);
  trust.approveLaunch(other, 'fp-9', 9);
  trust.forget(files);
  expect(readFileSync(file, 'utf8')).not.toContain(files);
  expect(trust.launchTrust(other, 'fp-9')).toBe('approved');
});

test('P1: a switch that is turned off is gone, and others hear of it', () => {
  const { trust } = setUp();
  let heard = 0;
  trust.onChange(() => heard++);
  trust.setRouteOn('model-1', true);
  trust.setRouteOn('model-1', false);
  expect([trust.isRouteOn('model-1'), heard]).toEqual([false, 2]);
});

describe('S10: an older trust.json put back turns nothing on', () => {
  async function profile() {
    const folder = tempFolder();
    const keychain = new FakeKeychain();
    const file = join(folder, 'trust.json');
    const start = async () => {
      const secrets = await openSecrets({ folder, keychain });
      return { trust: openTrust({ folder, secrets, clock: new FakeClock() }), settled: () => secrets.trustGeneration.settled() };
    };
    const counter = () => [...keychain.items].find(([account]) => account.startsWith('trust-generation'));
    return { ...(await start()), start, keychain, counter, text: () => readFileSync(file, 'utf8'), file };
  }
  /** Approved and switched on, then taken back; `copy` is from before. */
  async function revoked() {
    const house = await profile();
    fill(house.trust);
    await house.settled();
    const [copy, count] = [house.text(), house.counter()?.[1]];
    house.trust.revokeLaunch(files);
    house.trust.setRouteOn('model-1', false);
    await house.settled();
    return { ...house, copy, count: count ?? '' };
  }

  test('what was decided last holds at the next start, and no sentence is shown', async () => {
    const { trust, settled, start } = await profile();
    fill(trust);
    await settled();
    const next = (await start()).trust;
    expect([everything(next), next.problem()]).toEqual([{ launch: 'approved', approvedAt: 5, tools: 1, on: true }, null]);
  });

  test('put back while the app is closed', async () => {
    const { copy, file, start } = await revoked();
    writeFileSync(file, copy);
    const { trust } = await start();
    expect([everything(trust), trust.problem(), trust.needsReview().length]).toEqual([NOTHING, OLDER, 3]);
  });

  test('put back while the app runs', async () => {
    const { copy, file, trust } = await revoked();
    let heard = 0;
    trust.onChange(() => heard++);
    writeFileSync(file, copy);
    await expect.poll(() => trust.problem()).toBe(OLDER);
    expect([everything(trust), trust.needsReview().length, heard]).toEqual([NOTHING, 3, 1]);
  });

  test('put back while the app runs, before it could see that: the next decision keeps nothing of it', async () => {
    const { copy, file, trust, text } = await revoked();
    writeFileSync(file, copy);
    trust.approveLaunch(other, 'fp-9', 9);
    expect([everything(trust), trust.launchTrust(other, 'fp-9')]).toEqual([NOTHING, 'approved']);
    expect(text()).not.toContain('model-1');
  });

  const edits: [what: string, change: (file: Record<string, unknown>, older: Record<string, unknown>) => object][] = [
    ['the number of the last one written into it', (last, older) => ({ ...older, generation: last['generation'] })],
    [
      'the number and the seal of the last one',
      (last, older) => ({ ...older, generation: last['generation'], seal: last['seal'] }),
    ],
    ['a number that no file will reach', (_last, older) => ({ ...older, generation: Number.MAX_SAFE_INTEGER })],
    ['no number', (_last, { generation: _left, ...older }) => older],
    ['no seal', (_last, { seal: _left, ...older }) => older],
    ['one genuine older record in the last file', (last, older) => ({ ...last, launches: older['launches'] })],
    ['the last file with one record fewer', (last) => ({ ...last, choices: {} })],
  ];
  test.each(edits)('put back with %s', async (_what, change) => {
    const { copy, text, file, start } = await revoked();
    writeFileSync(file, JSON.stringify(change(JSON.parse(text()), JSON.parse(copy))));
    const { trust } = await start();
    expect([everything(trust), trust.problem()]).toEqual([NOTHING, ALTERED]);
  });

  test('after a refusal the next decision begins with nothing, one above the last number, and the copy stays refused', async () => {
    const { copy, file, start, text } = await revoked();
    const last = JSON.parse(text()).generation;
    writeFileSync(file, copy);
    const { trust, settled } = await start();
    trust.approveLaunch(other, 'fp-9', 9);
    expect([trust.problem(), everything(trust), JSON.parse(text()).generation]).toEqual([null, NOTHING, last + 1]);
    await settled();
    const next = (await start()).trust;
    expect([next.launchTrust(other, 'fp-9'), everything(next)]).toEqual(['approved', NOTHING]);
    writeFileSync(file, copy);
    expect(everything((await start()).trust)).toEqual(NOTHING);
  });

  test('taking back what a refused file says leaves it refused or empty, never in force', async () => {
    const { copy, file, start, text } = await revoked();
    writeFileSync(file, copy);
    const { trust } = await start();
    trust.forget(other);
    expect([text(), trust.problem()]).toEqual([copy, OLDER]);
    trust.forget(files);
    expect([everything(trust), text().includes(files)]).toEqual([NOTHING, false]);
  });

  test('a file taken away holds nothing, and the copy is refused after it', async () => {
    const { copy, file, start, counter } = await revoked();
    const before = counter();
    rmSync(file);
    const { trust } = await start();
    expect([everything(trust), trust.problem(), counter()]).toEqual([NOTHING, null, before]);
    writeFileSync(file, copy);
    await expect.poll(() => trust.problem()).toBe(OLDER);
    expect(everything(trust)).toEqual(NOTHING);
  });

  test('an app that ended between the file and the keychain counts its file, and catches up', async () => {
    const { copy, file, start, keychain, counter, count } = await revoked();
    const [account, last] = counter() ?? ['', ''];
    keychain.items.set(account, count);
    const { trust, settled } = await start();
    expect([everything(trust), trust.problem()]).toEqual([{ ...NOTHING, tools: 1 }, null]);
    await settled();
    expect(counter()).toEqual([account, last]);
    writeFileSync(file, copy);
    expect(everything((await start()).trust)).toEqual(NOTHING);
  });

  test('a counter that is gone from the keychain is written again from the file', async () => {
    const { start, keychain, counter } = await revoked();
    const [account, last] = counter() ?? ['', ''];
    keychain.items.delete(account);
    const { trust, settled } = await start();
    expect([everything(trust), trust.problem()]).toEqual([{ ...NOTHING, tools: 1 }, null]);
    await settled();
    expect(counter()).toEqual([account, last]);
  });

  test('S7: two processes that decide in turn lose nothing, and neither takes the other for an older one', async () => {
    const { trust, settled, start, counter, text } = await profile();
    const second = await start();
    for (const nth of [1, 2, 3]) {
      trust.setRouteOn(`app-${nth}`, true);
      second.trust.setRouteOn(`line-${nth}`, true);
    }
    const names = ['app-1', 'app-2', 'app-3', 'line-1', 'line-2', 'line-3'];
    for (const one of [trust, second.trust]) {
      await expect.poll(() => names.map((name) => one.isRouteOn(name))).toEqual(names.map(() => true));
      expect(one.problem()).toBeNull();
    }
    await Promise.all([settled(), second.settled()]);
    expect([JSON.parse(text()).generation, counter()?.[1]]).toEqual([6, '6']);
  });

  test.each(['locked', 'absent'] as const)('S5: a run with a keychain that is %s leaves the file for the next', async (mode) => {
    const { trust, settled, start, keychain, text } = await profile();
    fill(trust);
    await settled();
    const [before, items] = [text(), [...keychain.items]];
    keychain.mode = mode;
    const shut = (await start()).trust;
    expect([everything(shut), shut.problem()]).toEqual([NOTHING, null]);
    shut.setRouteOn('model-2', true);
    expect([shut.isRouteOn('model-2'), text(), [...keychain.items]]).toEqual([true, before, items]);
    keychain.mode = 'unlocked';
    const next = (await start()).trust;
    expect([everything(next), next.isRouteOn('model-2')]).toEqual([
      { launch: 'approved', approvedAt: 5, tools: 1, on: true },
      false,
    ]);
  });
});

function each(file: Sections, change: (record: { value: Record<string, unknown>; seal?: unknown }) => void) {
  for (const section of [file.launches, file.choices, file.switches]) Object.values(section).forEach(change);
}
const flip = (seal: string) => (seal.startsWith('0') ? '1' : '0') + seal.slice(1);

test('E7: the yes to a private network is part of the sealed approval, and goes when it is given anew without', () => {
  const { trust } = setUp();
  expect(trust.mayReachPrivateNetwork(files)).toBe(false);
  trust.approveLaunch(files, 'fp-1', 5, true);
  expect([trust.mayReachPrivateNetwork(files), trust.mayReachPrivateNetwork(other)]).toEqual([true, false]);
  trust.approveLaunch(files, 'fp-2', 6);
  expect(trust.mayReachPrivateNetwork(files)).toBe(false);
});

test('S11: says which servers something is kept of, and names none whose record does not hold', () => {
  const { trust, reopen, edit, reseal } = setUp();
  trust.approveLaunch(files, 'fp-1', 5);
  trust.saveChoices(other, choices('read'));
  trust.setRouteOn('model-1', true);
  expect(trust.knownServers()).toEqual([files, other]);
  edit(({ launches }) => (launches[files] = { ...launches[files], value: { ...launches[files]?.value, approvedAt: 6 } }));
  reseal();
  expect(reopen().knownServers()).toEqual([other]);
});
