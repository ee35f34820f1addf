import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodePunycode, hostWarning } from '../../../src-shared/servers/host-script';

const decoded: [ascii: string, text: string | null][] = [
  ['bcher-kva', 'bücher'],
  ['mnchen-3ya', 'münchen'],
  ['80ak6aa92e', 'аррӏе'],
  ['r8jz45g', '例え'],
  ['e1afmkfd', 'пример'],
  ['ihqwcrb4cv8a8dqg056pqjye', '他们为什么不说中文'],
  ['b', null],
  ['99999999', null],
  ['a!', null],
];
test.each(decoded)('E1: %s decodes to %s', (ascii, text) => {
  expect(decodePunycode(ascii)).toBe(text);
});

test('E1: a label that cannot be decoded is warned of, never vouched for', () => {
  expect(hostWarning('xn--99999999.example')).toBe('mixed-script');
});

test('E1: no text makes the decoder throw or hang', () => {
  fc.assert(fc.property(fc.string(), (text) => void decodePunycode(text)));
});

test('E1: decoding turns back what the URL parser encoded', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[а-яά-ώ一-鿋a-z]{1,12}$/u), (label) => {
      if (!URL.canParse(`https://${label}.example`)) return;
      const ascii = new URL(`https://${label}.example`).hostname.split('.')[0] ?? '';
      if (!ascii.startsWith('xn--')) return;
      const back = decodePunycode(ascii.slice(4));
      expect(new URL(`https://${back}.example`).hostname).toBe(`${ascii}.example`);
    }),
  );
});
