import { expect, test } from 'vitest';
import { openSecrets } from '../../../src-main/secrets/secrets';
import { countIn, openCounter } from '../../../src-main/secrets/keychain-counter';
import { ok, type Result } from '../../../src-shared/base/result';
import { FakeKeychain } from '../../support/fake-keychain';
import { runCounter } from '../../support/run-counter';
import { tempFolder } from '../../support/temp-folder';

/** Holds each write until it is let go, and remembers what was written. */
class SlowKeychain extends FakeKeychain {
  readonly written: string[] = [];
  #held: (() => void)[] = [];

  override async write(account: string, value: string): Promise<Result<void, 'unavailable'>> {
    await new Promise<void>((go) => this.#held.push(go));
    this.written.push(value);
    return super.write(account, value);
  }
  async letGo(): Promise<void> {
    await expect.poll(() => this.#held.length).toBeGreaterThan(0);
    for (const go of this.#held.splice(0)) go();
  }
}
const kept = (keychain: FakeKeychain, value = 0) => openCounter({ value, keep: { keychain, account: 'n' } });

test('S10: a counter rises at once, never falls, and the keychain follows', async () => {
  const keychain = new FakeKeychain();
  const counter = kept(keychain, 4);
  for (const to of [7, 5, 7, 0]) counter.raise(to);
  expect(counter.value).toBe(7);
  await counter.settled();
  expect(keychain.items.get('n')).toBe('7');
});

test('S10: many rises in a row need few writes, and the last number is the one that stays', async () => {
  const keychain = new SlowKeychain();
  const counter = kept(keychain);
  counter.raise(1);
  await expect.poll(() => counter.value).toBe(1);
  await Promise.resolve();
  for (let to = 2; to <= 50; to++) counter.raise(to);
  await keychain.letGo();
  await keychain.letGo();
  await counter.settled();
  expect(keychain.written).toEqual(['1', '50']);
});

test('S10: a number that a second process took further is not set back', async () => {
  const keychain = new FakeKeychain();
  keychain.items.set('n', '9');
  const counter = kept(keychain, 3);
  counter.raise(4);
  await counter.settled();
  expect([counter.value, keychain.items.get('n')]).toEqual([4, '9']);
});

test.each(['locked', 'absent'] as const)(
  'S5: a keychain that is %s breaks nothing, and the next rise reaches it',
  async (mode) => {
    const keychain = new FakeKeychain(mode);
    const counter = kept(keychain);
    counter.raise(1);
    await counter.settled();
    expect([counter.value, keychain.items.size]).toEqual([1, 0]);
    keychain.mode = 'unlocked';
    counter.raise(2);
    await counter.settled();
    expect(keychain.items.get('n')).toBe('2');
  },
);

test('S5: without a keychain a counter lasts for the run', async () => {
  const counter = runCounter();
  counter.raise(3);
  await counter.settled();
  expect(counter.value).toBe(3);
});

const items: [item: string | null, count: number][] = [
  ['12', 12],
  ['0', 0],
  [null, 0],
  ['', 0],
  ['-3', 0],
  ['1e9', 0],
  ['12 ', 0],
  ['9'.repeat(16), 0],
];
test.each(items)('S10: the item %j counts as %d', (item, count) => {
  expect(countIn(item)).toBe(count);
});

test('S10: the number of a profile comes back at its next start, and no other profile has it', async () => {
  const keychain = new FakeKeychain();
  const [folder, otherFolder] = [tempFolder(), tempFolder()];
  const { trustGeneration } = await openSecrets({ folder, keychain });
  expect(trustGeneration.value).toBe(0);
  trustGeneration.raise(6);
  await trustGeneration.settled();
  const values = [folder, `${folder}/`, otherFolder].map(
    async (of) => (await openSecrets({ folder: of, keychain })).trustGeneration.value,
  );
  await expect(Promise.all(values)).resolves.toEqual([6, 6, 0]);
});

test('S10: a keychain that gives the key and then falls silent gave nothing, so that no older file counts', async () => {
  const folder = tempFolder();
  const keychain = new FakeKeychain();
  await openSecrets({ folder, keychain });
  const silent = new (class extends FakeKeychain {
    override async read(account: string): Promise<Result<string | null, 'unavailable'>> {
      if (account === 'master-key-v1') return ok(keychain.items.get(account) ?? null);
      return { ok: false, problem: 'unavailable' };
    }
  })();
  expect(await openSecrets({ folder, keychain: silent })).toMatchObject({ state: 'absent', trustGeneration: { value: 0 } });
});

test.each(['locked', 'absent', 'forgetful'] as const)(
  'S5: where the keychain is %s, the number is kept nowhere',
  async (mode) => {
    const keychain = new FakeKeychain(mode);
    const { trustGeneration } = await openSecrets({ folder: tempFolder(), keychain });
    trustGeneration.raise(2);
    await trustGeneration.settled();
    keychain.mode = 'unlocked';
    trustGeneration.raise(3);
    await trustGeneration.settled();
    expect([trustGeneration.value, keychain.items.size]).toEqual([3, 0]);
  },
);
