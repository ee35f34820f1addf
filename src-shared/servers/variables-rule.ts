import { failed, ok, type Result } from '../base/result';
import { changesWhatRuns } from './launch-rule';
import { looksSecret } from './secret-names';

/** One reference to a value that is filled in when the server starts (S6). */
export type VariableReference =
  | { readonly kind: 'env'; readonly name: string; readonly fallback: string | null }
  | { readonly kind: 'input'; readonly key: string };

/** A text taken apart: `raw` of every piece in a row is the text again. */
export type TemplatePiece =
  | { readonly kind: 'text'; readonly raw: string }
  | { readonly kind: 'variable'; readonly raw: string; readonly reference: VariableReference };

/** Where a text stands in an entry. */
export type VariablePlace =
  | { readonly kind: 'command' | 'folder' | 'origin' | 'address' }
  | { readonly kind: 'argument'; readonly index: number }
  | { readonly kind: 'variable' | 'header'; readonly name: string };

/** Gives the value of one reference; `unset` is a variable of this computer that does not exist. */
export type LookUp = (reference: VariableReference) => Result<string, 'unset' | 'missing' | 'locked'>;

export interface Expanded {
  readonly text: string;
  /** The references in the text, in order. */
  readonly used: readonly { readonly reference: VariableReference; readonly value: string; readonly byDefault: boolean }[];
}

const REFERENCE = /\$\{(?:(env|input):)?([A-Za-z_][A-Za-z0-9_.-]{0,127})(?::-([^{}]*))?\}/g;
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Programs get these from this computer anyway, in sight of the review, so there is nothing to hide in them. */
const PLAIN_VARIABLES: readonly string[] = ['HOME', 'LANG', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'TMPDIR', 'USER', 'USERPROFILE'];

/** Finds `${VAR}`, `${env:VAR}`, `${VAR:-default}` and `${input:key}`; everything else, `$5` and `%PATH%` among it, is text. */
export function readTemplate(text: string): TemplatePiece[] {
  const pieces: TemplatePiece[] = [];
  let done = 0;
  for (const found of text.matchAll(REFERENCE)) {
    const [raw, prefix, name = '', fallback] = found;
    // One reference inside another would be a second reading of the first: neither is read (S6).
    if (text.slice(0, found.index).endsWith('${')) continue;
    if (prefix === 'input' ? fallback !== undefined : !PLAIN_NAME.test(name)) continue;
    if (found.index > done) pieces.push({ kind: 'text', raw: text.slice(done, found.index) });
    const reference: VariableReference =
      prefix === 'input' ? { kind: 'input', key: name } : { kind: 'env', name, fallback: fallback ?? null };
    pieces.push({ kind: 'variable', raw, reference });
    done = found.index + raw.length;
  }
  if (done < text.length) pieces.push({ kind: 'text', raw: text.slice(done) });
  return pieces;
}

/** Whether a text holds a reference at all. */
export const holdsVariable = (text: string): boolean => readTemplate(text).some(({ kind }) => kind === 'variable');

/** The `${input:key}` keys of some texts, each once. */
export function inputKeysIn(texts: readonly string[]): string[] {
  const keys = texts.flatMap((text) =>
    readTemplate(text).flatMap((piece) =>
      piece.kind === 'variable' && piece.reference.kind === 'input' ? [piece.reference.key] : [],
    ),
  );
  return [...new Set(keys)];
}

/** Puts the values in, once: what a value holds is never read again (S6). `write` turns a value into what may stand at this place. */
export function expandTemplate(
  text: string,
  place: VariablePlace,
  lookUp: LookUp,
  write: (value: string) => string | null = (value) => value,
): Result<Expanded, string> {
  const used: Expanded['used'][number][] = [];
  let expanded = '';
  for (const piece of readTemplate(text)) {
    if (piece.kind === 'text') {
      expanded += piece.raw;
      continue;
    }
    const { reference } = piece;
    const found = lookUp(reference);
    const fallback = reference.kind === 'env' ? reference.fallback : null;
    // As in a shell, `:-` also stands in for a variable that is there and empty.
    const byDefault = fallback !== null && (!found.ok || found.value === '');
    if (!found.ok && !byDefault) return failed(notThere(reference, found.problem, place));
    const value = byDefault ? fallback : found.ok ? found.value : '';
    if (/[\r\n\0]/.test(value)) {
      return failed(
        `${nameOf(reference)}, used in ${placeInWords(place)}, holds a line end or a NUL character. Change its value.`,
      );
    }
    const written = write(value);
    if (written === null) {
      return failed(
        `${nameOf(reference)}, used in ${placeInWords(place)}, holds a value that cannot stand there. Change its value.`,
      );
    }
    expanded += written;
    used.push({ reference, value, byDefault });
  }
  return ok({ text: expanded, used });
}

/**
 * Whether the value of a variable is hidden like a secret. What decides which program runs, or which host is contacted,
 * is always in sight (T1, E6).
 */
export function hidesValue(reference: VariableReference, place: VariablePlace): boolean {
  if (place.kind === 'command' || place.kind === 'folder' || place.kind === 'origin') return false;
  if (place.kind === 'variable' && changesWhatRuns(place.name)) return false;
  if (reference.kind === 'input') return true;
  if (place.kind === 'argument') return looksSecret(reference.name);
  return !PLAIN_VARIABLES.includes(reference.name);
}

/** `MY_TOKEN`, or `the value of “key”` for one that was asked for. */
export const nameOf = (reference: VariableReference): string =>
  reference.kind === 'env' ? reference.name : `The value of “${reference.key}”`;

/** A field of an entry, in words. */
export function placeInWords(place: VariablePlace): string {
  switch (place.kind) {
    case 'command':
      return 'the command';
    case 'folder':
      return 'the folder it runs in';
    case 'origin':
    case 'address':
      return 'the address';
    case 'argument':
      return `argument ${place.index + 1}`;
    case 'variable':
      return `the variable ${place.name}`;
    case 'header':
      return `the header ${place.name}`;
  }
}

function notThere(reference: VariableReference, problem: 'unset' | 'missing' | 'locked', place: VariablePlace): string {
  const where = placeInWords(place);
  if (reference.kind === 'env') {
    return `The variable ${reference.name}, used in ${where}, is not set on this computer. Set it and start this app again, or enter a value in its place.`;
  }
  return problem === 'locked'
    ? `The secret “${reference.key}”, used in ${where}, is locked. Unlock the keychain of this computer, then choose Retry.`
    : `The secret “${reference.key}”, used in ${where}, is missing. Enter it in the settings of this server.`;
}
