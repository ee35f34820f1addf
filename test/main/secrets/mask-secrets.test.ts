import fc from 'fast-check';
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

  test('that is a part of another, where only the beginning of that one stands', () => {
    expect(maskSecrets('id=abcdefg', ['cdef', 'abcdefgh'])).toBe(`id=ab${MASK}g`);
  });

  test.each([0, 1, 2, 3, 4, 5])('in base64, directly behind %i letters', (count) => {
    expect(maskSecrets(`${'k'.repeat(count)}${base64(SECRET)}`, [SECRET])).toBe(`${'k'.repeat(count)}${MASK}`);
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

  test.each([255, 256, 257, 258, 513])('of %i characters, to its last', (length) => {
    const value = lines.join('').slice(0, length);
    expect(maskSecrets(`<${value}>`, [value])).toBe(`<${MASK}>`);
  });

  test('of which a text shows only a part', () => {
    const masked = maskSecrets(`<${lines.join('').slice(0, 1000)}`, [lines.join('')]);
    expect(masked).toContain(`<${MASK}`);
    expect(masked.length).toBeLessThan(256 + MASK.length);
  });

  test('with emoji where it is cut', () => {
    const value = '😀ü'.repeat(300);
    for (const [, of] of forms) expect(maskSecrets(`<<${of(value)}>>`, [value])).toBe(`<<${MASK}>>`);
  });
});

const untouched: [because: string, text: string, values: string[]][] = [
  ['nothing is secret', 'some text', []],
  ['the value is shorter than 4 characters', 'the cat sat', ['cat', '']],
  ['the value is shorter than 4 characters but for blanks', '  ab    ', ['ab  ']],
  ['what the value says once unescaped is shorter', 'C:\\\\dir', ['\\\\\\\\']],
  ['the end of a long value stands behind its beginning', 'abcdz', [`${'abcd'.repeat(64)}z`]],
  ['the value is only blanks', 'a     b', ['     ']],
  ['only a part of it is there', 'abcde', ['abcdef']],
  ['the case differs', 'ABCDEF', ['abcdef']],
];
test.each(untouched)('leaves a text alone when %s', (_because, text, values) => {
  expect(maskSecrets(text, values)).toBe(text);
});

describe('S5: masks forms inside forms', () => {
  const nested: [form: string, text: (secret: string) => string][] = [
    ['JSON in JSON in JSON', (secret) => json(json(json(secret)))],
    ['a URL component in JSON', (secret) => json(encodeURIComponent(json(secret)))],
    ['JSON in a URL in a URL', (secret) => encodeURIComponent(encodeURIComponent(json(secret)))],
    ['every byte percent-encoded, twice over', (secret) => percent(percent(secret))],
    ['base64 with every byte percent-encoded', (secret) => percent(base64(secret))],
    ['base64 in a form', (secret) => encodeURIComponent(base64(secret))],
    ['JSON in base64', (secret) => base64(json(secret))],
    ['a URL component in base64', (secret) => base64(encodeURIComponent(secret))],
    ['base64 in base64', (secret) => base64(base64(secret))],
    ['base64 in base64 in base64', (secret) => base64(base64(base64(secret)))],
    ['a surrogate pair by numbers', (secret) => json(secret).replace('😀', '\\uD83D\\ude00')],
    ['a URL that was parsed', (secret) => new URL(`http://host/?${secret}`).search.slice(1)],
  ];
  const awkward = ['tok-5f/Ü&"key\\1?>>~', '%41"\\n+ ü😀', '\\u0041\\\\%5C\\n', '"""" \\/\\/'];
  test.each(nested)('%s', (_form, text) => {
    for (const secret of awkward) {
      expect(maskSecrets(`<${text(secret)}>`, [secret])).toBe(`<${MASK}>`);
    }
  });

  test('in a form, with pluses and blanks of its own', () => {
    for (const secret of ['a+b c++ d', '%"\n+ ']) {
      expect(maskSecrets(new URLSearchParams({ key: secret }).toString(), [secret])).toBe(`key=${MASK}`);
    }
  });
});

const json = (value: string): string => JSON.stringify(value).slice(1, -1);
const percent = (value: string): string =>
  [...Buffer.from(value)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const base64 = (value: string): string => Buffer.from(value).toString('base64');

const awkwardPart = fc.constantFrom(
  '\\',
  '%',
  '+',
  '"',
  "'",
  ' ',
  '/',
  '\n',
  '\r\n',
  '%41',
  '\\n',
  '\\u0041',
  'n',
  'u',
  '4',
  'é',
  '😀',
  '\u0001',
  '=',
);
const part = fc.oneof(awkwardPart, fc.string({ unit: 'grapheme', maxLength: 3 }));
const anySecret = fc
  .array(part, { minLength: 4, maxLength: 30 })
  .map((parts) => parts.join(''))
  .filter((secret) => secret.replaceAll('+', ' ').trim().length >= 4);
const anyText = fc.string({ unit: 'binary', maxLength: 60 });

const escapeForms = fc.constantFrom(json, percent, encodeURIComponent);
const base64Form = fc
  .record({ before: fc.nat(2), after: fc.nat(2), alphabet: fc.constantFrom('base64' as const, 'base64url' as const) })
  .map(
    ({ before, after, alphabet }) =>
      (value: string) =>
        Buffer.from('q'.repeat(before) + value + 'z'.repeat(after)).toString(alphabet),
  );

describe('S5: masks any secret anywhere', () => {
  test('in up to three escapes, and nothing else', () => {
    fc.assert(
      fc.property(anySecret, fc.array(escapeForms, { maxLength: 3 }), anyText, anyText, (secret, wrappings, before, after) => {
        const wrapped = wrappings.reduce((value, wrap) => wrap(value), secret);
        expect(maskSecrets(`${before}<${wrapped}>${after}`, [secret])).toBe(`${before}<${MASK}>${after}`);
      }),
      { numRuns: 2_000 },
    );
  });

  test('in up to three forms, base64 among them', () => {
    const wrappings = fc.array(fc.oneof(escapeForms, base64Form), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(anySecret, wrappings, anyText, anyText, (secret, wraps, before, after) => {
        const wrap = (value: string): string => wraps.reduce((text, form) => form(text), value);
        const masked = maskSecrets(`${before}<${wrap(secret)}>${after}`, [secret]);
        expect(masked.startsWith(`${before}<`) && masked.endsWith(`>${after}`)).toBe(true);
        const left = masked.slice(before.length + 1, masked.length - after.length - 1);
        expect(left).toContain(MASK);
        // Only what base64 carried beside the secret is left, with its padding, and that is little.
        const little = Math.max(...['short', 'secret', 'secrets'].map((value) => wrap(value).length));
        expect(left.length - MASK.length).toBeLessThanOrEqual(little);
      }),
      { numRuns: 2_000 },
    );
  });

  test('and leaves any other text as it is', () => {
    const text = fc.oneof(
      anyText,
      fc.array(part, { maxLength: 60 }).map((parts) => parts.join('')),
      fc.base64String(),
    );
    fc.assert(
      fc.property(text, anySecret, (other, secret) => {
        expect(maskSecrets(other, [`${secret}☂☂`])).toBe(other);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('W2: masks 2 MiB with 50 secrets of up to 4 KiB within 2 seconds', () => {
  const SIZE = 2 * 1024 * 1024;
  const fill = (piece: string): string => piece.repeat(Math.ceil(SIZE / piece.length)).slice(0, SIZE);
  const noise = (size: number, seed: number): string => {
    let state = seed;
    return Buffer.from(
      Array.from({ length: (size * 3) / 4 }, () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 24),
    ).toString('base64');
  };
  const ordinary = Array.from({ length: 47 }, (_, nth) =>
    nth % 2 === 0 ? noise(4096, nth + 1) : `sk-"${nth}% \\n é+${noise(40, nth + 1)}`,
  );
  const secrets = [...ordinary, `${'a'.repeat(4095)}b`, '%41'.repeat(40), '\\'.repeat(50)];
  const document = JSON.stringify(
    Array.from({ length: 200 }, (_, id) => ({ id, name: 'Ünïcode "quoted"', path: 'C:\\new\\folder', url: 'a%20b%2Fc%22' })),
  );
  const texts: [of: string, text: string][] = [
    ['words', fill('lorem ipsum secret-number sk-" ')],
    ['backslashes', fill('\\')],
    ['percent signs', fill('%')],
    ['%41', fill('%41')],
    ['\\u0041', fill('\\u0041')],
    ['percent signs many levels deep', `%${fill('25')}`],
    ['one letter', fill('a')],
    ['base64', fill(noise(65_536, 7))],
    ['base64 of JSON', base64(fill(document)).slice(0, SIZE)],
    ['base64 broken by escapes', fill(`${noise(200, 9)}%252525252B\\\\\\\\/`)],
    ['JSON', fill(document)],
    ['JSON in JSON', fill(json(document))],
    ['JSON in JSON in JSON', fill(json(json(document)))],
    ['the beginning of a secret', fill((secrets[0] ?? '').slice(0, 60))],
    ['a secret, over and over', fill(`${json(secrets[1] ?? '')} `)],
  ];

  test.each(texts)(
    'of %s',
    (_of, text) => {
      const end = percent(secrets[1] ?? '');
      // The machine can be busy with something else for a while.
      let took = Infinity;
      for (let attempt = 0; attempt < 3 && took >= 2_000; attempt += 1) {
        const started = performance.now();
        expect(maskSecrets(`${text}<${end}>`, secrets).endsWith(`<${MASK}>`)).toBe(true);
        took = performance.now() - started;
      }
      expect(took).toBeLessThan(2_000);
    },
    60_000,
  );
});

test('S5: masks at every place of a text that is searched in windows', () => {
  const secret = 'hunter2-hunter2';
  const window = 256 * 1024;
  for (const at of [0, window - 8, window, window + 32 * 1024 - 8, 2 * window + 5]) {
    const text = `${'x'.repeat(at)}${secret}${'y'.repeat(3 * window - at)}`;
    expect(maskSecrets(text, [secret])).toBe(text.replace(secret, MASK));
  }
});

test('W2: masking 16 MiB grows the memory by a bounded part of it', () => {
  const text = 'abc \\u0041 %41 '.repeat(1_000_000);
  const before = process.memoryUsage().rss;
  maskSecrets(text, ['hunter2-hunter2']);
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});
