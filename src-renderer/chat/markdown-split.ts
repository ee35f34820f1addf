/**
 * Where a text that is still being written can be cut so that what stands before will not change any more:
 * after the last blank line outside a code fence. What stands before is parsed once.
 */
export function splitSettled(text: string): [settled: string, tail: string] {
  let fence: string | null = null;
  let cut = 0;
  let at = 0;
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence)) fence = null;
    }
    at += line.length + 1;
    // A list or an indented line after the blank one belongs to what stands before.
    if (fence === null && line.trim() === '' && /^\S/.test(text.slice(at)) && !/^(?:[-*+]|\d+[.)])\s/.test(text.slice(at)))
      cut = at;
  }
  return [text.slice(0, cut), text.slice(cut)];
}
