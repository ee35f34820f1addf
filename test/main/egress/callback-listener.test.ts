import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { listenForCallback, type CallbackListener, type CallbackPlan } from '../../../src-main/egress/callback-listener';

async function setUp(plan: Partial<CallbackPlan> = {}): Promise<CallbackListener> {
  const listener = await listenForCallback({ host: '127.0.0.1', port: 0, path: '/callback/x', state: 'right', ...plan });
  if (!listener.ok) throw new Error('The port is taken.');
  onTestFinished(() => listener.value.close());
  return listener.value;
}

const ask = (address: string, options: { method?: string; host?: string } = {}): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = options.host === undefined ? {} : { host: options.host };
    request(address, { method: options.method ?? 'GET', headers, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });

describe('the callback of a sign-in', () => {
  test('K5: takes the answer with the right path and state, and shows a page without anything in it', async () => {
    const listener = await setUp();
    const page = await fetch(`${listener.address}?code=abc&state=right`);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).not.toContain('abc');
    expect((await listener.answer).get('code')).toBe('abc');
  });

  const ignored: [suffix: string, options: { method?: string; host?: string }, because: string][] = [
    ['?code=abc&state=wrong', {}, 'another state'],
    ['?code=abc', {}, 'no state'],
    ['?code=abc&state=right&state=right', {}, 'the state twice'],
    ['/more?code=abc&state=right', {}, 'another path'],
    ['?code=abc&state=right', { method: 'POST' }, 'another method'],
    ['?code=abc&state=right', { method: 'HEAD' }, 'a method without a page'],
    ['?code=abc&state=right', { host: 'evil.example:80' }, 'another name for this computer'],
    ['', {}, 'no query'],
  ];
  test.each(ignored)('K5: ignores %s %j and goes on waiting (%s)', async (suffix, options) => {
    const listener = await setUp();
    expect(await ask(listener.address + suffix, options)).toBe(404);
    expect(await ask(`${listener.address}?code=later&state=right`)).toBe(200);
    expect((await listener.answer).get('code')).toBe('later');
  });

  test('K5: the first answer counts', async () => {
    const listener = await setUp();
    await ask(`${listener.address}?code=first&state=right`);
    await ask(`${listener.address}?code=second&state=right`).catch(() => undefined);
    expect((await listener.answer).get('code')).toBe('first');
  });

  test('K5: localhost is reached over both loopback addresses, on one port, and over nothing after the end', async () => {
    const listener = await setUp({ host: 'localhost' });
    const { port } = new URL(listener.address);
    for (const address of ['127.0.0.1', '[::1]']) {
      expect(await ask(`http://${address}:${port}/callback/x?state=no`, { host: `localhost:${port}` })).toBe(404);
    }
    listener.close();
    await expect(ask(listener.address)).rejects.toThrow();
  });

  test('K5: a port that is taken is said, and no other is used in its place', async () => {
    const other = createServer();
    await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    for (const host of ['127.0.0.1', 'localhost'] as const) {
      expect(await listenForCallback({ host, port, path: '/', state: 's' })).toEqual({ ok: false, problem: 'port-taken' });
    }
  });
});
