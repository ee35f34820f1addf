import { expect, test } from 'vitest';
import { failed, ok } from '../../../src-shared/base/result';
import { chooseProof, isBound, readNonce, type ProofFacts } from '../../../src-shared/oauth/proof-rule';

const facts = (given: Partial<ProofFacts>): ProofFacts => ({ host: undefined, resource: undefined, required: false, ...given });

const choices: [given: Partial<ProofFacts>, chosen: string | null, because: string][] = [
  [{}, null, 'nobody speaks of proofs'],
  [{ host: ['RS256', 'ES384', 'ES256'] }, 'ES256', 'the most usual one that the host takes'],
  [{ host: ['ES512'] }, 'ES512', 'whichever it takes'],
  [{ host: [] }, null, 'a list with nothing in it'],
  [{ host: ['none', 'HS256', 'RS256'] }, null, 'no kind that is used here; no proof is demanded'],
  [{ host: ['ES256', 'ES384'], resource: ['ES384'] }, 'ES384', 'one that both take'],
  [{ resource: ['ES256'] }, null, 'the host would not read it'],
  [{ required: true }, 'ES256', 'a host need not list what it takes (RFC 9449 5.1)'],
  [{ required: true, resource: ['ES384'] }, 'ES384', 'what the server lists is all there is to go by'],
];
test.each(choices)('K1: %j: tokens are bound by %s (%s)', (given, chosen) => {
  expect(chooseProof(facts(given))).toEqual(ok(chosen));
});

const impossible: [given: Partial<ProofFacts>, because: string][] = [
  [{ required: true, host: ['RS256'] }, 'the host takes other kinds alone'],
  [{ required: true, host: ['ES256'], resource: ['ES384'] }, 'they have none in common'],
];
test.each(impossible)('K1: %j: a server that demands it is not signed in to without (%s)', (given) => {
  expect(chooseProof(facts(given))).toEqual(failed('no-common-algorithm'));
});

const kinds: [kind: string, asked: { withProof: boolean; mustBind: boolean }, bound: boolean | 'unused-kind'][] = [
  ['Bearer', { withProof: false, mustBind: false }, false],
  ['DPoP', { withProof: true, mustBind: false }, true],
  ['dpop', { withProof: true, mustBind: true }, true],
  ['bearer', { withProof: true, mustBind: false }, false],
  ['bearer', { withProof: true, mustBind: true }, 'unused-kind'],
  ['DPoP', { withProof: false, mustBind: false }, 'unused-kind'],
  ['mac', { withProof: true, mustBind: false }, 'unused-kind'],
];
test.each(kinds)('K3: tokens of kind %s, asked for with %j: bound is %s', (kind, asked, bound) => {
  expect(isBound(kind, asked)).toEqual(bound === 'unused-kind' ? failed('unused-kind') : ok(bound));
});

const nonces: [text: string | undefined, read: boolean, because: string][] = [
  ['eyJ7S_zG.eyJH0-Z.HX4w-7v', true, 'the one of RFC 9449 8'],
  [undefined, false, 'none came'],
  ['', false, 'empty'],
  ['one, two', false, 'two headers of the name'],
  ['a"b', false, 'a quote'],
  ['a'.repeat(1024), true, 'the longest'],
  ['a'.repeat(1025), false, 'longer than any host’s'],
];
test.each(nonces)('K3: the nonce %s is sent back: %s (%s)', (text, read) => {
  expect(readNonce(text)).toBe(read ? text : null);
});
