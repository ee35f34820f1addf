import { LOOK_ALIKE_LETTERS } from '../base/look-alikes';
import { stripInvisible } from '../tools/strip-invisible';

/** Longer names are compared by their beginning. */
const MAX_COMPARED = 512;

// Beyond what stands for a letter in any text: what only a name's look confuses.
const LOOKS: Readonly<Record<string, string>> = {
  ...LOOK_ALIKE_LETTERS,
  ...{
    м: 'm',
    н: 'h',
    ј: 'j',
    ԛ: 'q',
    ѵ: 'v',
    һ: 'h',
    г: 'r',
    ь: 'b',
    п: 'n',
    ɡ: 'g',
    ı: 'i',
    υ: 'u',
    η: 'n',
    ω: 'w',
    σ: 'o',
    β: 'b',
    μ: 'u',
    χ: 'x',
    γ: 'y',
  },
  ...{ '0': 'o', '1': 'l', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '@': 'a', $: 's', '|': 'l', '!': 'l' },
};

/**
 * What a name looks like: two names of one skeleton cannot be told apart at a glance (N7).
 * In the manner of the skeletons of Unicode Technical Standard 39, with a small table of our own.
 */
export function skeleton(name: string): string {
  const folded = stripInvisible(name.slice(0, MAX_COMPARED))
    .text.normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[\s_.\-/:·•‐-―]+/gu, '-')
    .replace(/^-|-$/g, '');
  return [...folded]
    .map((letter) => LOOKS[letter] ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
    .replaceAll('i', 'l');
}
