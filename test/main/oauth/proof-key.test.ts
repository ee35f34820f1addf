import { createHash, createPublicKey, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { newProofKey, openProofKey, ProofSessions } from '../../../src-main/oauth/proof-key';
import { PROOF_ALGORITHMS } from '../../../src-shared/oauth/proof-rule';
import { ServerIdSchema } from '../../../src-shared/servers/server.schema';

const notes = ServerIdSchema.parse('notes');
const other = ServerIdSchema.parse('other');
const request = { htm: 'POST', htu: 'https://notes.example.com/mcp?session=1#top', accessToken: 'access-1' };
const read = (part: string): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString());

test.each(PROOF_ALGORITHMS)('K3: a kept %s key signs proofs again, and shows its public half alone', async (alg) => {
  const session = await openProofKey(newProofKey(alg));
  const [header = '', claims = '', signature = ''] = (await session.buildProof(request)).split('.');
  expect(read(header)).toEqual({ alg, typ: 'dpop+jwt', jwk: session.publicJwk });
  expect(Object.keys(session.publicJwk).sort()).toEqual(['crv', 'kty', 'x', 'y']);
  const key = { key: createPublicKey({ key: { ...session.publicJwk }, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  const hash = `sha${alg.slice(2)}`;
  expect(verify(hash, Buffer.from(`${header}.${claims}`), key, Buffer.from(signature, 'base64url'))).toBe(true);
});

test('K3: a proof names its method, its address without a query, its token by digest, and its nonce', async () => {
  const session = await openProofKey(newProofKey('ES256'));
  const claimsOf = async (): Promise<Record<string, unknown>> => read((await session.buildProof(request)).split('.')[1]!);
  const first = await claimsOf();
  expect(first).toMatchObject({
    htm: 'POST',
    htu: 'https://notes.example.com/mcp',
    ath: createHash('sha256').update('access-1').digest('base64url'),
  });
  expect(first).not.toHaveProperty('nonce');
  session.rememberNonce('https://login.example.com/token', 'of-another-host');
  session.rememberNonce(request.htu, 'n-1');
  const second = await claimsOf();
  expect(second['nonce']).toBe('n-1');
  expect(second['jti']).not.toBe(first['jti']);
});

test('K3: the name of a key is that of RFC 7638, so that a host can hold a token to it', async () => {
  const { publicJwk, thumbprint } = await openProofKey(newProofKey('ES256'));
  const { crv, kty, x, y } = publicJwk;
  const members = `{"crv":"${crv}","kty":"${kty}","x":"${x}","y":"${y}"}`;
  expect(thumbprint).toBe(createHash('sha256').update(members).digest('base64url'));
});

test('K3: no two sign-ins have a key in common, and each server is proved with its own', async () => {
  const sessions = new ProofSessions();
  const [first, second] = [newProofKey('ES256'), newProofKey('ES256')];
  expect(first).not.toBe(second);
  const session = await sessions.of(notes, first);
  expect(await sessions.of(notes, first)).toBe(session);
  expect((await sessions.of(other, second)).thumbprint).not.toBe(session.thumbprint);
  expect((await sessions.of(notes, second)).thumbprint).not.toBe(session.thumbprint);
});

test('K3: a forgotten key takes its nonces along', async () => {
  const sessions = new ProofSessions();
  const key = newProofKey('ES256');
  (await sessions.of(notes, key)).rememberNonce(request.htu, 'n-1');
  sessions.forget(notes);
  expect((await sessions.of(notes, key)).nonceFor(request.htu)).toBeUndefined();
});

test('K3: a text that is no such key signs nothing', async () => {
  await expect(openProofKey('no key')).rejects.toThrow();
});
