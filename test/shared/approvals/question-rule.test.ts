import { describe, expect, test } from 'vitest';
import { MAX_FIELDS, readQuestion } from '../../../src-shared/approvals/question-rule';
import type { JsonObject } from '../../../src-shared/tools/tool.schema';

const here = { name: 'Notes', leaves: false };
const away = { name: 'Tracker', leaves: true };
const form = (properties: JsonObject, rest: object = {}): object => ({
  message: 'Which one?',
  requestedSchema: { type: 'object', properties, ...rest },
});
const text = { type: 'string' };

describe('a form', () => {
  test('W8: one without a mode is a form, and only what a form needs is kept of it', () => {
    const read = readQuestion(form({ city: text }, { required: ['city', 7], $defs: {} }), here);
    expect(read).toEqual({
      ok: true,
      value: {
        kind: 'form',
        message: 'Which one?',
        schema: { type: 'object', properties: { city: text }, required: ['city'] },
        removedCharacters: 0,
      },
    });
  });

  const kinds: JsonObject[] = [
    { type: 'number' },
    { type: 'integer', minimum: 1 },
    { type: 'boolean' },
    { type: 'string', enum: ['a'] },
    { type: 'string', enum: ['a'], enumNames: ['A'] },
    { type: 'string', oneOf: [{ const: 'a', title: 'A' }] },
    { type: 'array', items: { type: 'string', enum: ['a'] } },
    { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
  ];
  test.each(kinds)('W8: takes the field %j', (field) => {
    expect(readQuestion(form({ field }), here).ok).toBe(true);
  });

  const refused: [because: string, params: unknown][] = [
    ['nothing', undefined],
    ['no schema', { message: 'x' }],
    ['an unknown mode', { mode: 'voice', message: 'x' }],
    ['a schema of another type', { requestedSchema: { type: 'string' } }],
    ['an object in a field', form({ a: { type: 'object', properties: {} } })],
    ['a list of anything', form({ a: { type: 'array', items: { type: 'string' } } })],
    ['a reference', form({ a: { $ref: 'https://evil.example/schema' } })],
    ['a choice of objects', form({ a: { type: 'string', enum: [{}] } })],
    ['an endless choice', form({ a: { type: 'string', enum: Array.from({ length: 201 }, String) } })],
    ['a field that is no schema', form({ a: true })],
    ['too many fields', form(Object.fromEntries(Array.from({ length: MAX_FIELDS + 1 }, (_, at) => [`f${at}`, text])))],
    ['too many bytes', form({ a: { ...text, description: 'x'.repeat(70_000) } })],
    ['too deep', form({ a: { ...text, x: [[[[[[]]]]]] } })],
    ['a message without end', { ...form({ a: text }), message: 'x'.repeat(4001) }],
  ];
  test.each(refused)('W8, H16: %s is not shown', (_because, params) => {
    const read = readQuestion(params, here);
    expect(read).toMatchObject({ ok: false, problem: expect.stringMatching(/^Notes asked .*\.$/) });
  });

  const secret: [because: string, params: unknown][] = [
    ['the name', form({ password: text })],
    ['the title', form({ a: { ...text, title: 'API key' } })],
    ['the description', form({ a: { ...text, description: 'Paste your access token here' } })],
    ['the format', form({ a: { ...text, format: 'password' } })],
    ['a number', form({ pin: { type: 'integer' } })],
    ['the message over a harmless field', { ...form({ value: text }), message: 'Enter your password to go on' }],
    ['a title held apart by invisible characters', form({ a: { ...text, title: 'Pass\u200b\u202eword' } })],
    ['one field among others', form({ city: text, cardNumber: text })],
  ];
  test.each(secret)('W8, H13: a secret asked for by %s is refused', (_because, params) => {
    expect(readQuestion(params, here)).toMatchObject({ ok: false, problem: expect.stringContaining('looks like a secret') });
  });

  test('W8: what is chosen from a list or answered with yes is no secret', () => {
    const tokens = { type: 'string', enum: ['a'], title: 'Token' };
    const params = { ...form({ tokens, password: { type: 'boolean' } }), message: 'Rotate the password?' };
    expect(readQuestion(params, here).ok).toBe(true);
  });

  test('O1, H12: texts lose what cannot be seen, also in defaults and in a field called like a keyword; choices go back as they came', () => {
    const hidden = '\u001b[31m\u202e\u200b\u{e0041}';
    const params = {
      message: `Which${hidden}?`,
      requestedSchema: {
        type: 'object',
        properties: {
          enum: { ...text, default: `x${hidden}`, description: `d${hidden}` },
          pick: { ...text, enum: [`a${hidden}`], default: `a${hidden}` },
        },
      },
    };
    const read = readQuestion(params, here);
    if (!read.ok || read.value.kind !== 'form') throw new Error('not a form');
    expect(read.value.message).toBe('Which?');
    expect(read.value.removedCharacters).toBeGreaterThan(10);
    expect(read.value.schema['properties']).toMatchObject({
      enum: { default: 'x', description: 'd' },
      pick: { enum: [`a${hidden}`] },
    });
  });
});

describe('an address', () => {
  const asks = (url: unknown) => ({ mode: 'url', message: 'Sign in', elicitationId: '1', url });
  const opened: [url: string, whole: string, host: string][] = [
    ['https://tracker.example/sign-in?a=1', 'https://tracker.example/sign-in?a=1', 'tracker.example'],
    ['https://tracker.example/#/sign-in', 'https://tracker.example/#/sign-in', 'tracker.example'],
    ['https://tracker.example/a/../b', 'https://tracker.example/b', 'tracker.example'],
    ['https://tracker.example/\u202e', 'https://tracker.example/%E2%80%AE', 'tracker.example'],
    ['http://localhost:8080/ok', 'http://localhost:8080/ok', 'localhost:8080'],
  ];
  test.each(opened)('W8: %s is shown as it would be opened', (url, whole, host) => {
    expect(readQuestion(asks(url), here)).toMatchObject({ ok: true, value: { kind: 'address', address: { whole, host } } });
  });

  test('W8, X17: a host in disguise is shown as punycode, with a warning', () => {
    const read = readQuestion(asks('https://trаcker.example/'), away);
    expect(read).toMatchObject({
      ok: true,
      value: { address: { host: expect.stringMatching(/^xn--/), warning: expect.stringContaining('alphabets') } },
    });
  });

  const refused: unknown[] = [
    ...[null, '', 'tracker.example', 'http://tracker.example/', 'javascript:alert(1)', 'file:///etc/passwd'],
    ...[
      'data:text/html,x',
      'smb://host/share',
      'portcullis://x',
      'https://name:word@tracker.example/',
      'https:\\\\tracker.example',
    ],
    ...['http://127.1/', 'http://localhost.example.com/', 'https://tracker.example/a b', 'https://tracker.example/#a\nb'],
    ...['vscode://x', 'ms-msdt:/id', `https://tracker.example/${'x'.repeat(2048)}`, 'https://[bad'],
  ];
  test.each(refused)('W8, H1: %j is not opened', (url) => {
    expect(readQuestion(asks(url), here)).toMatchObject({ ok: false, problem: expect.stringContaining('address') });
  });

  test.each(['http://localhost:9000/', 'https://127.0.0.1/', 'http://[::1]:1/'])(
    'W8, H15: a server elsewhere does not get %s of this computer opened',
    (url) => {
      expect(readQuestion(asks(url), away).ok).toBe(false);
    },
  );
});
