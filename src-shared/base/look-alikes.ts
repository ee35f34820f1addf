/** Letters of other alphabets, lower case, that pass for a Latin letter, with the letter they pass for. */
export const LOOK_ALIKE_LETTERS: Readonly<Record<string, string>> = {
  ...{ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ѕ: 's', ԁ: 'd', ԝ: 'w', ӏ: 'l', к: 'k', т: 't', в: 'b' },
  ...{ ο: 'o', α: 'a', ρ: 'p', ι: 'i', κ: 'k', ν: 'v', ε: 'e', τ: 't' },
};
