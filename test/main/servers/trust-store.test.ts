import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src-shared/base/digest.schema';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import type { ToolDefinition } from '../../../src-shared/tools/tool.schema';
import { openTrustFile, type ToolChoices, TrustStore } from '../../../src-main/servers/trust-store';
import { FakeClock } from '../../support/fake-clock';
import { fakeSealer } from '../../support/fake-sealer';
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
  instructionsDigest: digest('b'),
});

function setUp(folder = tempFolder(), key?: string) {
  const open = (withKey = key) =>
    new TrustStore({ document: openTrustFile(folder), sealer: fakeSealer(withKey), clock: new FakeClock() });
  const file = join(folder, 'trust.json');
  const edit = (change: (file: Sections) => void) => {
    const parsed: Sections = JSON.parse(readFileSync(file, 'utf8'));
    change(parsed);
    writeFileSync(file, JSON.stringify(parsed));
  };
  return { trust: open(), reopen: open, edit, file };
}
type Sections = Record<'launches' | 'choices' | 'switches', Record<string, { value: Record<string, unknown>; seal?: unknown }>>;
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
    const { trust, edit, reopen } = setUp();
    fill(trust);
    edit(change);
    const expected = what.startsWith('the seals') ? { ...NOTHING, on: true } : NOTHING;
    expect(everything(reopen())).toEqual(expected);
    expect(reopen().needsReview().length).toBe(what.startsWith('the seals') ? 2 : 3);
  });

  test('one byte of any value changed', () => {
    const { trust, file, reopen } = setUp();
    trust.approveLaunch(files, 'fp-1', 5);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace('fp-1', 'fp-2'));
    expect(reopen().launchTrust(files, 'fp-2')).toBe('never-approved');
    writeFileSync(file, text.replace('"approvedAt": 5', '"approvedAt": 6'));
    expect(reopen().launchTrust(files, 'fp-1')).toBe('never-approved');
  });

  test('X3: the genuine record of another server, copied under this id', () => {
    const { trust, edit, reopen } = setUp();
    fill(trust);
    trust.setRouteOn('model-2', false);
    edit((file) => {
      file.launches[other] = file.launches[files]!;
      file.choices[other] = file.choices[files]!;
      file.switches['model-2'] = file.switches['model-1']!;
    });
    const after = reopen();
    expect([after.launchTrust(other, 'fp-1'), after.choices(other).tools.size, after.isRouteOn('model-2')]).toEqual([
      'never-approved',
      0,
      false,
    ]);
    expect(everything(after)).toEqual({ launch: 'approved', approvedAt: 5, tools: 1, on: true });
  });

  test('a tool switched on with an editor', () => {
    const { trust, edit, reopen } = setUp();
    trust.saveChoices(files, choices('read'));
    trust.setOffered(files, 'read', false);
    edit((file) => {
      const [tool] = file.choices[files]!.value['tools'] as { offered: boolean }[];
      tool!.offered = true;
    });
    expect(reopen().choices(files).tools.size).toBe(0);
  });

  test('records of other shapes and odd names', () => {
    const { trust, reopen, file } = setUp();
    fill(trust);
    writeFileSync(
      file,
      '{"version":1,"launches":{"constructor":7,"__proto__":{"value":{},"seal":"x"},"id-files":null},"choices":{},"switches":{"model-1":[]}}',
    );
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

function each(file: Sections, change: (record: { value: Record<string, unknown>; seal?: unknown }) => void) {
  for (const section of [file.launches, file.choices, file.switches]) Object.values(section).forEach(change);
}
const flip = (seal: string) => (seal.startsWith('0') ? '1' : '0') + seal.slice(1);
