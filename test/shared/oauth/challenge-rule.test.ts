import { expect, test } from 'vitest';
import { asksForNonce, readChallenge, readScope, uniteScopes, type Challenge } from '../../../src-shared/oauth/challenge-rule';

const nothing: Challenge = { resourceMetadata: null, scope: null, error: null };

const headers: [header: string | undefined, said: Partial<Challenge>, because: string][] = [
  [undefined, {}, 'no header'],
  ['Bearer', {}, 'a bare challenge'],
  ['Basic realm="x", scope="read"', {}, 'another scheme'],
  ['Bearer resource_metadata="https://a.example/m"', { resourceMetadata: 'https://a.example/m' }, 'RFC 9728 5.1'],
  ['bearer error="insufficient_scope", scope="read write"', { error: 'insufficient_scope', scope: 'read write' }, 'RFC 6750 3.1'],
  ['Bearer error=insufficient_scope,scope=write', { error: 'insufficient_scope', scope: 'write' }, 'tokens without quotes'],
  ['Basic realm="x", Bearer scope="read"', { scope: 'read' }, 'two challenges in one list'],
  ['DPoP scope="read"', { scope: 'read' }, 'RFC 9449 7.1'],
  ['Bearer x_scope="a", scope="b"', { scope: 'b' }, 'a name that ends alike'],
  ['Bearer realm="scope=evil", scope="b"', { scope: 'b' }, 'a name inside a quoted text'],
  ['Bearer scope="a", scope="b"', { scope: 'a' }, 'the first one counts'],
  ['Bearer error="a\\"b"', { error: 'a"b' }, 'a quoted quote'],
  ['Bearer scope="a\tb"', {}, 'a control character is no scope'],
  ['Bearer scope="a  b"', {}, 'two blanks are no scope'],
  ['Bearer scope=""', {}, 'an empty scope says nothing'],
  ['Bearerscope="a"', {}, 'a scheme that only begins alike'],
];
test.each(headers)('K1: %s says %j (%s)', (header, said) => {
  expect(readChallenge(header)).toEqual({ ...nothing, ...said });
});

test('K1: a header of a megabyte is read in no time', () => {
  const startedAt = performance.now();
  readChallenge(`Bearer ${'a="'.repeat(350_000)}`);
  readChallenge(`Bearer ${' '.repeat(1_000_000)}`);
  expect(performance.now() - startedAt).toBeLessThan(500);
});

test('K1: a scope longer than any host’s is not sent on', () => {
  expect(readScope('a'.repeat(2049))).toBeNull();
  expect(readScope('a'.repeat(2048))).toBe('a'.repeat(2048));
});

const unions: [scopes: (string | null)[], union: string | null][] = [
  [['read', 'write'], 'read write'],
  [['read write', 'write'], 'read write'],
  [['', 'a'], 'a'],
  [[null, null], null],
  [[null, 'a b', 'c a'], 'a b c'],
];
test.each(unions)('K1: %j together are %s', (scopes, union) => {
  expect(uniteScopes(...scopes)).toBe(union);
});

const nonceChallenges: [header: string | undefined, asks: boolean, because: string][] = [
  ['DPoP error="use_dpop_nonce", error_description="Use a nonce"', true, 'RFC 9449 9'],
  ['dpop realm="x", error=use_dpop_nonce', true, 'another case, and a token without quotes'],
  ['Bearer error="invalid_token", DPoP error="use_dpop_nonce"', true, 'beside another scheme'],
  [undefined, false, 'no header'],
  ['DPoP error="invalid_token"', false, 'it is the token that was refused'],
  ['DPoP error="use_dpop_nonce_later"', false, 'a word that begins alike'],
  ['Bearer error="use_dpop_nonce"', false, 'a scheme without proofs'],
  ['DPoP x_error="use_dpop_nonce"', false, 'a name that ends alike'],
];
test.each(nonceChallenges)('K3: %s asks for a nonce: %s (%s)', (header, asks) => {
  expect(asksForNonce(header)).toBe(asks);
});
