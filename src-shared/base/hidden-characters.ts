/**
 * Characters that show nothing or change how others show: control, bidi, zero-width, tag and other format characters,
 * fillers, variation selectors, line separators and lone surrogates. Newline and tab are not among them.
 * Source text for a pattern with the `u` flag, which is what makes a lone surrogate match.
 */
export const HIDDEN_CHARACTER = String.raw`(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]`;

/** Blanks that pass for a plain space or for nothing: no-break, ideographic, braille and the like. */
export const ODD_BLANK = String.raw`(?! )[\p{Zs}\u2800]`;

/** Cuts without splitting a character in two: the end moves back rather than leave half of a pair. */
export function cutAtCharacter(text: string, maxLength: number): string {
  return text.slice(0, characterBoundary(text, maxLength));
}

/** The nearest place at or before `index` that lies between two characters. */
export function characterBoundary(text: string, index: number): number {
  const at = Math.max(0, Math.min(index, text.length));
  const before = text.charCodeAt(at - 1);
  const after = text.charCodeAt(at);
  return before >= 0xd800 && before <= 0xdbff && after >= 0xdc00 && after <= 0xdfff ? at - 1 : at;
}
