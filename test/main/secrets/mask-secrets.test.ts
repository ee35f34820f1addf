import { describe, expect, test } from 'vitest';
import { MASK, maskSecrets } from '../../../src-main/secrets/mask-secrets';

const SECRET = 'tok-5f/Ü&"key\\1';

const forms: [form: string, of: (value: string) => string][] = [
  ['plain', (value) => value],
  ['JSON', (value) => JSON.stringify(value).slice(1, -1)],
  ['JSON inside JSON', (value) => JSON.stringify(JSON.stringify(value)).slice(3, -3)],
  ['JSON with escaped slashes', (value) => JSON.stringify(value).slice(1, -1).replaceAll('/', '\\/')],
  ['JSON in ASCII only', (value) => JSON.stringify(value).slice(1, -1).replaceAll('Ü', '\\u00DC')],
  ['URL component', encodeURIComponent],
  ['URL component in lower case', (value) => encodeURIComponent(value).replace(/%../g, (code) => code.toLowerCase())],
  ['URL', encodeURI],
  ['form', (value) => new URLSearchParams({ v: value }).toString().slice(2)],
  [
    'every byte percent-encoded',
    (value) => [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''),
  ],
  ['base64', (value) => Buffer.from(value).toString('base64')],
  ['base64url', (value) => Buffer.from(value).toString('base64url')],
];

describe('S5: masks a known secret', () => {
  test.each(forms)('in %s form', (_form, of) => {
    expect(maskSecrets(`before ${of(SECRET)} after`, [SECRET])).toBe(`before ${MASK} after`);
  });

  test.each(forms)('with blanks, in %s form', (_form, of) => {
    expect(maskSecrets(`<${of('correct horse battery')}>`, ['correct horse battery'])).toBe(`<${MASK}>`);
  });

  test.each([0, 1, 2, 3, 4, 5])('inside a base64 text, behind %i other bytes', (before) => {
    for (const after of [0, 1, 2, 3, 4, 5]) {
      const around = Buffer.concat([Buffer.alloc(before, 'b'), Buffer.from('s3cret-value+x'), Buffer.alloc(after, 'a')]);
      for (const encoding of ['base64', 'base64url'] as const) {
        const masked = maskSecrets(`Authorization: Basic ${around.toString(encoding)}`, ['s3cret-value+x']);
        expect(masked).toContain(MASK);
        const rest = Buffer.from(masked.split(' ')[2]?.split(MASK)[0] ?? '', 'base64').toString();
        expect(rest).toMatch(/^b*$/);
        for (let length = 4; length <= 14; length += 1) {
          expect(masked).not.toContain(
            Buffer.from('s3cret-value+x').subarray(0, length).toString('base64').replace(/=+$/, '').slice(0, -1) || MASK,
          );
        }
      }
    }
  });

  test('every time it stands there, and as part of a word', () => {
    expect(maskSecrets('xabcdefx abcdef', ['abcdef'])).toBe(`x${MASK}x ${MASK}`);
  });

  test('whole, when another secret is a part of it', () => {
    expect(maskSecrets('id=abcdefghij', ['cdef', 'abcdefghij'])).toBe(`id=${MASK}`);
  });

  test('as one piece with another that overlaps it', () => {
    expect(maskSecrets('[abcdefghi]', ['abcdef', 'defghi'])).toBe(`[${MASK}]`);
  });

  test('to its end, where it repeats itself', () => {
    expect(maskSecrets('[abababab-ababab]', ['abab'])).toBe(`[${MASK}-${MASK}]`);
  });

  test('side by side with another', () => {
    expect(maskSecrets('[aaaa-bbbb]', ['aaaa', 'bbbb'])).toBe(`[${MASK}-${MASK}]`);
  });

  test.each(['a.c+(d)[e]{2}^$|?*', '$& $1 $$', '\\d\\w\\s', '%25%41%zz', '----'])('that looks like a pattern: %s', (value) => {
    expect(maskSecrets(`x${value}y`, [value])).toBe(`x${MASK}y`);
    expect(maskSecrets('abcdefg 12345', [value])).toBe('abcdefg 12345');
  });
});

describe('S5: masks a key file', () => {
  const lines = Array.from({ length: 40 }, (_, nth) => Buffer.alloc(48, `line ${nth} of a key`).toString('base64'));
  const pem = `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`;

  test.each(forms.filter(([form]) => form !== 'form'))('as one piece, in %s form', (_form, of) => {
    expect(maskSecrets(`before ${of(pem)} after`, [pem])).toBe(`before ${MASK} after`);
  });

  test('line by line, as a log shows it', () => {
    for (const line of lines) expect(maskSecrets(`stderr: ${line}`, [pem])).toBe(`stderr: ${MASK}`);
  });

  test('of the largest size a secret can have', () => {
    const large = Array.from({ length: 32_768 }, (_, nth) => String.fromCodePoint(0x21 + ((nth * 7919) % 90))).join('');
    for (const [, of] of forms) expect(maskSecrets(`<<${of(large)}>>`, [large])).toBe(`<<${MASK}>>`);
  });

  test('with emoji where it is cut', () => {
    const value = '😀ü'.repeat(300);
    for (const [, of] of forms) expect(maskSecrets(`<<${of(value)}>>`, [value])).toBe(`<<${MASK}>>`);
  });
});

const untouched: [because: string, text: string, values: string[]][] = [
  ['nothing is secret', 'some text', []],
  ['the value is shorter than 4 characters', 'the cat sat', ['cat', '']],
  ['the value is only blanks', 'a     b', ['     ']],
  ['only a part of it is there', 'abcde', ['abcdef']],
  ['the case differs', 'ABCDEF', ['abcdef']],
];
test.each(untouched)('leaves a text alone when %s', (_because, text, values) => {
  expect(maskSecrets(text, values)).toBe(text);
});

test('W2: masks 2 MiB with 50 secrets in reasonable time', () => {
  const values = Array.from({ length: 50 }, (_, nth) => `secret-number-${nth}-${'x'.repeat(40)}`);
  const text = 'lorem ipsum secret-number '.repeat(80_000) + (values[7] ?? '');
  const started = performance.now();
  expect(maskSecrets(text, values).endsWith(MASK)).toBe(true);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test.each(['\\', '%', '"', 'a', 'A'])('W2: masks 256 KiB of %s in reasonable time', (character) => {
  const started = performance.now();
  maskSecrets(character.repeat(256 * 1024), [`"${SECRET}`, `${character.repeat(4)}x`]);
  expect(performance.now() - started).toBeLessThan(5_000);
});
