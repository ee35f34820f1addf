import type { FormField } from '../../src-shared/tools/schema-form';
import { countOf } from '../ui/format';

/** What kind of value a field takes, beside its label: `text, needed`, `whole number, 1 to 500`. */
export function fieldWords(field: FormField): string {
  const words = [kindWords(field)];
  if (field.kind === 'number') words.push(rangeWords(field.minimum, field.maximum));
  if (field.required) words.push('needed');
  return words.filter((word) => word !== '').join(', ');
}

function kindWords(field: FormField): string {
  switch (field.kind) {
    case 'text':
      return 'text';
    case 'number':
      return field.integer ? 'whole number' : 'number';
    case 'boolean':
      return 'yes or no';
    case 'choice':
      return `one of ${field.choices.length}`;
    case 'choices':
      return `any of ${field.choices.length}`;
    case 'list':
      return `list of ${LIST_WORDS[field.item]}`;
    case 'group':
      return countOf(field.fields.length, 'part');
    case 'json':
      return 'any value, as JSON';
  }
}

const LIST_WORDS = { text: 'text', number: 'numbers', integer: 'whole numbers', boolean: 'true or false' } as const;

function rangeWords(minimum: number | undefined, maximum: number | undefined): string {
  if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
  if (minimum !== undefined) return `from ${minimum}`;
  return maximum === undefined ? '' : `up to ${maximum}`;
}

const isShort = (field: FormField): boolean =>
  field.kind === 'number' || field.kind === 'choice' || (field.kind === 'boolean' && !field.required);

/** Fields line by line: two short ones side by side, everything else on a line of its own. */
export function fieldLines(fields: readonly FormField[]): FormField[][] {
  const lines: FormField[][] = [];
  for (const field of fields) {
    const last = lines.at(-1);
    if (last?.length === 1 && last.every(isShort) && isShort(field)) last.push(field);
    else lines.push([field]);
  }
  return lines;
}
