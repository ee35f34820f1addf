export interface JsonBounds {
  maxDepth: number;
  /** Characters of the value's JSON text, counted to within its punctuation. */
  maxChars: number;
}

export type JsonBoundsProblem = 'too-deep' | 'too-big' | 'not-json';

/** Measures a stranger's value without recursion, so that nothing it contains can exhaust the stack. Null means it fits. */
export function checkJsonBounds(value: unknown, { maxDepth, maxChars }: JsonBounds): JsonBoundsProblem | null {
  const waiting: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  let chars = 0;
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value: current, depth } = next;
    if (typeof current === 'string') chars += current.length + 2;
    else if (typeof current === 'number') {
      if (!Number.isFinite(current)) return 'not-json';
      chars += String(current).length;
    } else if (typeof current === 'boolean' || current === null) chars += 5;
    else if (typeof current !== 'object') return 'not-json';
    else {
      if (depth > maxDepth) return 'too-deep';
      chars += 2;
      if (Array.isArray(current)) for (const item of current) waiting.push({ value: item, depth: depth + 1 });
      else {
        for (const [name, member] of Object.entries(current)) {
          chars += name.length + 4;
          waiting.push({ value: member, depth: depth + 1 });
        }
      }
    }
    if (chars > maxChars) return 'too-big';
  }
  return null;
}
