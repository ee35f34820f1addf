import { describe, expect, test } from 'vitest';
import { deriveKey, makeSealer } from '../../../src-main/secrets/sealer';

const key = Buffer.alloc(32, 7);
const review = { fingerprint: 'f'.repeat(64), approvedAt: 1_700_000_000_000, tools: ['read', 'write'] };

describe('a seal', () => {
  test('S10: holds for the value it was made for, whatever the order of its fields', () => {
    const sealer = makeSealer(key);
    const seal = sealer.seal('review', review);
    const { tools, approvedAt, fingerprint } = review;
    expect(sealer.holds('review', { tools, approvedAt, fingerprint, note: undefined }, seal)).toBe(true);
    expect(makeSealer(Buffer.from(key)).holds('review', JSON.parse(JSON.stringify(review)), seal)).toBe(true);
  });

  const broken: [because: string, purpose: string, value: unknown, change: (seal: string) => unknown][] = [
    ['another value', 'review', { ...review, approvedAt: 1 }, (seal) => seal],
    ['one more field', 'review', { ...review, enabled: true }, (seal) => seal],
    ['another order of a list', 'review', { ...review, tools: ['write', 'read'] }, (seal) => seal],
    ['another purpose', 'grant', review, (seal) => seal],
    ['a purpose that is a part of it', 'revie', review, (seal) => seal],
    ['no value', 'review', undefined, (seal) => seal],
    ['a missing seal', 'review', review, () => undefined],
    ['a null', 'review', review, () => null],
    ['an empty seal', 'review', review, () => ''],
    ['a seal cut short', 'review', review, (seal) => seal.slice(0, -1)],
    ['a longer seal', 'review', review, (seal) => `${seal}A`],
    ['a seal with one letter changed', 'review', review, (seal) => (seal.startsWith('A') ? 'B' : 'A') + seal.slice(1)],
    ['a seal of another type', 'review', review, (seal) => [seal]],
  ];
  test.each(broken)('S10: does not hold for %s', (_because, purpose, value, change) => {
    const sealer = makeSealer(key);
    expect(sealer.holds(purpose, value, change(sealer.seal('review', review)))).toBe(false);
  });

  test('S10: does not hold under another master key', () => {
    const seal = makeSealer(Buffer.alloc(32, 8)).seal('review', review);
    expect(makeSealer(key).holds('review', review, seal)).toBe(false);
  });
});

test('S5: each purpose has a key of its own, and none is the master key', () => {
  const keys = [key, ...['vault', 'key:ledger', 'seal:review'].map((label) => deriveKey(key, label))];
  expect(new Set(keys.map((one) => one.toString('hex'))).size).toBe(4);
  expect(keys.every((one) => one.length === 32)).toBe(true);
});
