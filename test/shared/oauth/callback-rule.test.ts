import { expect, test } from 'vitest';
import { CALLBACK_ADVICE, readCallback, type CallbackPlace, type CallbackProblem } from '../../../src-shared/oauth/callback-rule';

const accepted: [text: string, place: CallbackPlace][] = [
  ['http://127.0.0.1:8765/callback', { host: '127.0.0.1', port: 8765, path: '/callback' }],
  ['http://localhost:1/', { host: 'localhost', port: 1, path: '/' }],
  ['http://[::1]:65535/a/b', { host: '[::1]', port: 65_535, path: '/a/b' }],
];
test.each(accepted)('K5: %s is listened on as it is', (text, place) => {
  expect(readCallback(text)).toEqual({ ok: true, value: place });
});

const rejected: [text: string, problem: CallbackProblem][] = [
  ['https://127.0.0.1:8765/callback', 'not-loopback'],
  ['http://192.168.1.2:8765/callback', 'not-loopback'],
  ['http://localhost.example.com:8765/callback', 'not-loopback'],
  ['http://127.0.0.1:8765', 'not-loopback'],
  ['http://127.0.0.1:8765/a?b=1', 'not-loopback'],
  ['http://127.0.0.1:8765/a#b', 'not-loopback'],
  [' http://127.0.0.1:8765/', 'not-loopback'],
  ['myapp://callback', 'not-loopback'],
  ['http://127.0.0.1/callback', 'no-port'],
  ['http://127.0.0.1:0/callback', 'no-port'],
  ['http://127.0.0.1:65536/callback', 'no-port'],
];
test.each(rejected)('K5: %s is refused as %s, with what to enter', (text, problem) => {
  expect(readCallback(text)).toEqual({ ok: false, problem });
  expect(CALLBACK_ADVICE[problem]).toContain('http://127.0.0.1:8765/callback');
});
