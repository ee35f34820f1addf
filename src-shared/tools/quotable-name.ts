import { cutAtCharacter, HIDDEN_CHARACTER } from '../base/hidden-characters';

// Everything that could end a quotation, a bracket or a tag, in the forms a reader takes for one; \p{Pi} and \p{Pf} are curly quotes.
const BREAKS_OUT = new RegExp(
  String.raw`${HIDDEN_CHARACTER}|[\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Zs}<>"'\u0060\u00b4\u02c2\u02c3\u1438\u1433\uff1c\uff1e\uff02\uff07&\\\n\t\u2800]`,
  'gu',
);

/** A name as it stands inside our own punctuation, which it cannot close (O2, R5). */
export function quotableName(name: string, maxLength = 120): string {
  const plain = name.replace(BREAKS_OUT, ' ').replace(/ +/g, ' ').trim();
  if (plain === '') return 'unnamed';
  return plain.length > maxLength ? `${cutAtCharacter(plain, maxLength - 1)}…` : plain;
}
