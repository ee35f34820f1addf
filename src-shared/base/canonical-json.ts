type JsonValue = string | number | boolean | null | JsonValue[] | { [name: string]: JsonValue };

/** One text per JSON value: keys sorted by code unit, no blanks. Two values share a text only when they are equal. */
export function canonicalJson(value: JsonValue): string {
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new Error('A number that JSON cannot hold has no canonical form.');
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] as JsonValue)}`);
  return `{${members.join(',')}}`;
}
