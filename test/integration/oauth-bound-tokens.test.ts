import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openSignInsFile, SignInStore } from '../../src-main/oauth/sign-in-store';
import { openSecrets } from '../../src-main/secrets/secrets';
import { FakeKeychain } from '../support/fake-keychain';
import { callOf, startFixture, type RunningFixture } from '../support/scripted-server';
import { authorizationFor, SIGN_IN_SERVER, signInWith, type SignInHouse, type SignInOptions } from '../support/sign-in-with';
import { tempFolder } from '../support/temp-folder';

/** What the server saw at its token endpoint and its own address, and what it found wrong. */
interface SeenProof {
  path: string;
  rpc: string | null;
  scheme: string | null;
  claims: Record<'htm' | 'htu' | 'jti' | 'ath' | 'nonce', string | undefined>;
  rejected: string | null;
}

async function setUp(
  mode = '',
  options: Partial<SignInOptions> = {},
): Promise<{ running: RunningFixture; house: SignInHouse; seen(): Promise<SeenProof[]>; nextNonce(): Promise<void> }> {
  const running = await startFixture('peers/bound-tokens-server.mjs', { MODE: mode });
  const house = signInWith({ url: running.url, folder: tempFolder(), ...options });
  onTestFinished(() => house.close());
  const ask = async (path: string): Promise<unknown> => (await fetch(new URL(path, running.url))).json();
  return {
    ...{ running, house },
    seen: async () => (await ask('/proofs')) as SeenProof[],
    nextNonce: async () => void (await ask('/next-nonce')),
  };
}

async function signedIn(house: SignInHouse): Promise<void> {
  expect(await house.open()).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
  expect(await house.start()).toEqual({ ok: true, value: undefined });
}

async function problemOf(house: SignInHouse): Promise<string> {
  await house.open();
  const outcome = await house.start();
  return outcome.ok ? 'signed in' : outcome.problem;
}

const keyOf = (house: SignInHouse, url: string): string => house.store.tokensOf(SIGN_IN_SERVER, url)!.key!;

describe('tokens that are bound to a key', () => {
  test('K3: every request carries a proof of its own, made for it and for its token', async () => {
    const { running, house, seen } = await setUp();
    await signedIn(house);
    const session = await house.open();
    if (!session.ok) throw new Error(session.problem.message);
    expect(await session.value.callTool(callOf('echo'))).toMatchObject({ ok: true });
    const proofs = await seen();
    expect(proofs.filter(({ rejected }) => rejected !== null)).toEqual([]);
    expect(proofs.filter(({ path }) => path === '/token')).toMatchObject([
      { claims: { htm: 'POST', htu: new URL('/token', running.url).href } },
    ]);
    const own = proofs.filter(({ path }) => path === '/mcp');
    expect(own.map(({ rpc }) => rpc)).toContain('tools/call');
    expect(new Set(own.map(({ scheme }) => scheme))).toEqual(new Set(['DPoP']));
    for (const { claims } of own) expect(claims).toMatchObject({ htu: running.url, ath: expect.stringMatching(/^[\w-]{43}$/) });
    expect(new Set(proofs.map(({ claims }) => claims.jti)).size).toBe(proofs.length);
  });

  test('K3: a nonce is asked for once at each end, kept from every answer, and asked for again when it is old', async () => {
    const { house, seen, nextNonce } = await setUp('nonce');
    await signedIn(house);
    const session = await house.open();
    if (!session.ok) throw new Error(session.problem.message);
    const told = (proofs: SeenProof[]): (string | null)[] => proofs.map(({ rejected }) => rejected);
    const before = await seen();
    expect(told(before.filter(({ path }) => path === '/token'))).toEqual(['nonce', null]);
    const [lacked, ...rest] = told(before.filter(({ path }) => path === '/mcp'));
    expect(lacked).toBe('nonce');
    expect(new Set(rest)).toEqual(new Set([null]));
    const kept = before.map(({ claims }) => claims.nonce).at(-1);
    expect(Number(kept?.slice(1))).toBeGreaterThan(2);
    await nextNonce();
    expect(await session.value.callTool(callOf('echo'))).toMatchObject({ ok: true });
    expect(told((await seen()).filter(({ rpc }) => rpc === 'tools/call'))).toEqual(['nonce', null]);
  });

  test('K3: a server that is content with no nonce is asked twice, and costs no token', async () => {
    const { running, house, seen } = await setUp('nonce-never-right');
    await signedIn(house);
    const tokens = await authorizationFor(house, running.url);
    const before = (await seen()).length;
    expect(await house.open()).toMatchObject({ ok: false });
    expect((await seen()).slice(before)).toMatchObject([{ path: '/mcp' }, { path: '/mcp' }]);
    expect(await authorizationFor(house, running.url)).toBe(tokens);
    expect(house.signIn.stateOf(SIGN_IN_SERVER)).toBe('signed-in');
  });

  test('K3: they are renewed with the key they were made for', async () => {
    const { running, house, seen } = await setUp('short');
    await signedIn(house);
    const first = await authorizationFor(house, running.url);
    const key = keyOf(house, running.url);
    await new Promise((done) => setTimeout(done, 1000));
    const renewed = await authorizationFor(house, running.url);
    expect(renewed).toMatch(/^DPoP /);
    expect(renewed).not.toBe(first);
    expect(keyOf(house, running.url)).toBe(key);
    expect((await seen()).map(({ rejected }) => rejected)).toEqual([null, null]);
  });

  test('K3: a renewal that would make them tokens for anyone is not taken', async () => {
    const { running, house } = await setUp('unbinds-later');
    await signedIn(house);
    const first = await authorizationFor(house, running.url);
    await new Promise((done) => setTimeout(done, 1000));
    expect(await authorizationFor(house, running.url)).toBe(first);
    expect(house.store.tokensOf(SIGN_IN_SERVER, running.url)!.key).not.toBeNull();
  });

  test('K3: signing in again makes another key, and signing out leaves none', async () => {
    const { running, house } = await setUp();
    await signedIn(house);
    const first = keyOf(house, running.url);
    house.signIn.signOut(SIGN_IN_SERVER);
    expect(house.store.tokensOf(SIGN_IN_SERVER, running.url)).toBeNull();
    expect(await house.signIn.accessTo(SIGN_IN_SERVER, running.url).authorize({ method: 'POST', url: running.url })).toEqual({});
    await signedIn(house);
    expect(keyOf(house, running.url)).not.toBe(first);
  });

  test('K3: at another address there is neither token nor proof', async () => {
    const { running, house } = await setUp();
    await signedIn(house);
    const second = await startFixture('peers/bound-tokens-server.mjs');
    house.moveTo(second.url);
    expect(await house.open()).toMatchObject({ ok: false, problem: { kind: 'needs-sign-in' } });
    expect(await (await fetch(new URL('/proofs', second.url))).json()).toEqual([]);
    const came = (await (await fetch(new URL('/stats', second.url))).json()) as { authorization: string | null }[];
    expect(new Set(came.map(({ authorization }) => authorization))).toEqual(new Set([null]));
    expect(await authorizationFor(house, running.url)).toMatch(/^DPoP /);
  });

  test('S5: the private key stands in no file in the clear, and goes with the sign-in', async () => {
    const folder = tempFolder();
    const { vault } = await openSecrets({ folder, keychain: new FakeKeychain('unlocked') });
    const store = new SignInStore({ document: openSignInsFile(folder), vault });
    const { running, house } = await setUp('', { folder, vault, store });
    await signedIn(house);
    const key = Buffer.from(keyOf(house, running.url), 'base64');
    const files = (): string =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('\n');
    // The secret number of a P-256 key in PKCS #8 stands from byte 36 on.
    const number = key.subarray(36, 68);
    for (const form of ['base64', 'base64url', 'hex', 'latin1'] as const)
      for (const bytes of [key, number]) expect(files()).not.toContain(bytes.toString(form).replace(/=+$/, ''));
    const { keyRef } = store.recordOf(SIGN_IN_SERVER)!;
    expect(files()).toContain(keyRef);
    house.signIn.signOut(SIGN_IN_SERVER);
    expect(files()).not.toContain(keyRef);
    expect(vault.read(keyRef!)).toEqual({ ok: false, problem: 'missing' });
  });
});

describe('what a server and its host say about it', () => {
  const unusable = 'Notes wants its tokens bound to a kind of key that this app does not make.';
  const unused = 'The sign-in host of Notes gave a kind of token that this app does not use.';
  const modes: [mode: string, outcome: string, because: string][] = [
    ['required-unlisted', 'signed in', 'the server demands it, and its host does not speak of it'],
    ['required-rsa', unusable, 'no kind of key in common, so no browser opens'],
    ['required-unbound', unused, 'the server demands it, and its host gives tokens for anyone'],
    ['unbound', 'signed in', 'the host could, and does not'],
  ];
  test.each(modes)('K1: %s: %s (%s)', async (mode, outcome) => {
    const { running, house } = await setUp(mode);
    expect(await problemOf(house)).toBe(outcome);
    const sent = await authorizationFor(house, running.url);
    expect(sent?.split(' ')[0]).toBe(outcome !== 'signed in' ? undefined : mode === 'unbound' ? 'Bearer' : 'DPoP');
    expect(house.opened).toHaveLength(mode === 'required-rsa' ? 0 : 1);
  });
});
