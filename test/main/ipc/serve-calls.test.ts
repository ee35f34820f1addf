import { describe, expect, test } from 'vitest';
import { answerCall } from '../../../src-main/ipc/serve-calls';
import { isTrustedSender, type SenderFacts } from '../../../src-main/ipc/trusted-sender';
import { ok } from '../../../src-shared/base/result';
import type { CallHandlers } from '../../../src-shared/ipc/contract';

const handlersWith = (some: Partial<CallHandlers>): CallHandlers => some as CallHandlers;

describe('answerCall', () => {
  test('refuses a name the contract does not know, also one that every object has', async () => {
    for (const name of ['servers.explode', 'constructor', '__proto__', 7, null]) {
      expect(await answerCall(handlersWith({}), name, {})).toMatchObject({ ok: false, problem: { code: 'invalid-input' } });
    }
  });

  test('refuses malformed input before any handler sees it', async () => {
    let reached = false;
    const handlers = handlersWith({
      'servers.remove': async () => {
        reached = true;
        return ok({});
      },
    });
    expect(await answerCall(handlers, 'servers.remove', { id: '../../etc' })).toMatchObject({ ok: false });
    expect(reached).toBe(false);
  });

  test('S5: drops fields the contract does not name, so that a secret cannot ride along', async () => {
    const handlers = handlersWith({
      'servers.add': async () => ok({ id: 'abc', secretValue: 'hunter2' } as never),
    });
    const input = { name: 'x', connection: { kind: 'http', endpoint: 'https://a.example', headers: [] } };
    expect(await answerCall(handlers, 'servers.add', input)).toEqual(ok({ id: 'abc' }));
  });

  test('P8: a fault inside a handler reaches the window without its text', async () => {
    const handlers = handlersWith({
      'shell.ready': async () => {
        throw new Error('token=hunter2');
      },
    });
    const answer = await answerCall(handlers, 'shell.ready', {});
    expect(answer).toMatchObject({ ok: false, problem: { code: 'unexpected' } });
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });
});

describe('isTrustedSender', () => {
  const mainFrame = { url: 'app://portcullis/index.html' };
  const good: SenderFacts = { senderFrame: mainFrame, sender: { id: 1, mainFrame } };
  const trusted = (event: SenderFacts) => isTrustedSender(event, () => 1, 'app://portcullis');

  test('A9: trusts the main frame of our own page in our own window', () => {
    expect(trusted(good)).toBe(true);
  });

  const subframe = { url: 'app://portcullis/index.html' };
  const strange: [who: string, event: SenderFacts][] = [
    ['a frame that has navigated away', { ...good, senderFrame: null }],
    ['a subframe', { ...good, senderFrame: subframe }],
    ['another window', { senderFrame: mainFrame, sender: { id: 2, mainFrame } }],
    ...['https://evil.example/', 'app://portcullis.evil/', 'about:blank', 'file:///index.html'].map(
      (url): [string, SenderFacts] => {
        const frame = { url };
        return [url, { senderFrame: frame, sender: { id: 1, mainFrame: frame } }];
      },
    ),
  ];
  test.each(strange)('A9: does not trust %s', (_who, event) => {
    expect(trusted(event)).toBe(false);
  });
});
