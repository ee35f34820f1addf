const PREFIX = 'xn--';

/** What is unusual about a host that is not plain ASCII; `mixed-script` is how one host is made to look like another (E1, X17). */
export type HostWarning = 'mixed-script' | 'international';

export const HOST_WARNINGS: Record<HostWarning, string> = {
  'mixed-script':
    'This host mixes letters of different alphabets, which is how one address is made to look like another. Compare it with the address you were given, letter by letter.',
  international: 'This host is written with letters outside a to z. It is shown in the form computers use.',
};

/** Alphabets that are written together in ordinary words of one language. */
const COMPANIONS: readonly (readonly string[])[] = [
  ['Latin', 'Han', 'Hiragana', 'Katakana'],
  ['Latin', 'Han', 'Hangul'],
  ['Latin', 'Han', 'Bopomofo'],
];

const SCRIPTS: readonly (readonly [name: string, letters: RegExp])[] = [
  ['Latin', /\p{Script=Latin}/u],
  ['Cyrillic', /\p{Script=Cyrillic}/u],
  ['Greek', /\p{Script=Greek}/u],
  ['Armenian', /\p{Script=Armenian}/u],
  ['Hebrew', /\p{Script=Hebrew}/u],
  ['Arabic', /\p{Script=Arabic}/u],
  ['Cherokee', /\p{Script=Cherokee}/u],
  ['Han', /\p{Script=Han}/u],
  ['Hiragana', /\p{Script=Hiragana}/u],
  ['Katakana', /\p{Script=Katakana}/u],
  ['Hangul', /\p{Script=Hangul}/u],
  ['Bopomofo', /\p{Script=Bopomofo}/u],
];

// Cyrillic and Greek letters that cannot be told from Latin ones: a label made of nothing else is a disguise in one alphabet.
const LOOKS_LATIN = /^[аеорсухіјѕһԁԛԝӏьνοα\d-]+$/u;

/** Judges a host in its ASCII form, as the URL parser gives it. */
export function hostWarning(asciiHost: string): HostWarning | null {
  const foreign = asciiHost.split('.').filter((label) => label.startsWith(PREFIX));
  if (foreign.length === 0) return null;
  return foreign.some((label) => isDisguise(decodePunycode(label.slice(PREFIX.length)))) ? 'mixed-script' : 'international';
}

function isDisguise(label: string | null): boolean {
  // A label that cannot be read is not vouched for.
  if (label === null) return true;
  const known = SCRIPTS.filter(([, letters]) => letters.test(label)).map(([name]) => name);
  if (known.length > 1 && !COMPANIONS.some((family) => known.every((script) => family.includes(script)))) return true;
  const outside = [...label].some((char) => /\p{L}/u.test(char) && !SCRIPTS.some(([, letters]) => letters.test(char)));
  return (outside && known.length > 0) || LOOKS_LATIN.test(label);
}

/** RFC 3492 section 6.2; null for anything that is not well formed. */
export function decodePunycode(input: string): string | null {
  const cut = input.lastIndexOf('-');
  const output = cut > 0 ? [...input.slice(0, cut)] : [];
  let [n, i, bias] = [128, 0, 72];
  for (let at = cut > 0 ? cut + 1 : 0; at < input.length;) {
    const before = i;
    for (let weight = 1, k = 36; ; k += 36) {
      const digit = digitOf(input[at++]);
      if (digit === null) return null;
      i += digit * weight;
      const threshold = k <= bias ? 1 : Math.min(26, k - bias);
      if (i > 0x7fffffff) return null;
      if (digit < threshold) break;
      weight *= 36 - threshold;
    }
    const length = output.length + 1;
    bias = adapt(i - before, length, before === 0);
    n += Math.floor(i / length);
    if (n > 0x10ffff) return null;
    i %= length;
    output.splice(i++, 0, String.fromCodePoint(n));
  }
  return output.join('');
}

function digitOf(char: string | undefined): number | null {
  if (char === undefined) return null;
  if (/^[a-z]$/.test(char)) return char.charCodeAt(0) - 97;
  return /^[0-9]$/.test(char) ? char.charCodeAt(0) - 22 : null;
}

function adapt(change: number, length: number, first: boolean): number {
  let delta = first ? Math.floor(change / 700) : change >> 1;
  delta += Math.floor(delta / length);
  let k = 0;
  for (; delta > 455; k += 36) delta = Math.floor(delta / 35);
  return k + Math.floor((36 * delta) / (delta + 38));
}
