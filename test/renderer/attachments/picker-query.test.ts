import { describe, expect, test } from 'vitest';
import type { AttachableRow } from '../../../src-shared/attachments/attachment.schema';
import { queryAt, rowsFor, withoutQuery } from '../../../src-renderer/attachments/picker-query';

const row = (kind: AttachableRow['kind'], name: string, serverName = 'Notes'): AttachableRow => ({
  ...{ kind, name, serverName, serverId: 'notes' as never, ref: `notes://${name}`, description: '', fields: [] },
});
const rows = [row('resource', 'Plan'), row('template', 'A note'), row('prompt', 'Greet'), row('resource', 'Map', 'Atlas')];

describe('what is asked for in the composer', () => {
  const asked: [words: string, sign: string, text: string][] = [
    ['@', '@', ''],
    ['/', '/', ''],
    ['see @pl', '@', 'pl'],
    ['see\n@pl an', '@', 'pl an'],
    ['first @a then @b', '@', 'b'],
  ];
  test.each(asked)('W8: %j asks with %s for %j', (words, sign, text) => {
    expect(queryAt(words, words.length)).toMatchObject({ sign, text });
  });

  const plain: [words: string, because: string][] = [
    ['', 'nothing'],
    ['me@example.org', 'a sign within a word'],
    ['and/or', 'a stroke within a word'],
    ['@plan\nnext line', 'the line is over'],
    [`@${'x'.repeat(81)}`, 'nobody looks for that much'],
  ];
  test.each(plain)('W8: %j asks for nothing (%s)', (words) => {
    expect(queryAt(words, words.length)).toBeNull();
  });

  test('W8: what stands behind the caret is not part of it', () => {
    expect(queryAt('@plan for', 3)).toMatchObject({ text: 'pl', from: 0, to: 3 });
  });

  test('W8: the one sign lists resources and templates, the other prompts; name, server and address narrow them', () => {
    const found = (words: string) => rowsFor(queryAt(words, words.length)!, rows).map(({ name }) => name);
    expect(found('@')).toEqual(['Plan', 'A note', 'Map']);
    expect(found('/')).toEqual(['Greet']);
    expect(found('@atlas')).toEqual(['Map']);
    expect(found('@notes://pl')).toEqual(['Plan']);
    expect(found('@nothing')).toEqual([]);
  });

  test('W8: what was chosen leaves the draft as it was without it', () => {
    const left = (words: string) => withoutQuery(words, queryAt(words, words.length)!);
    expect(left('see @pl')).toBe('see ');
    expect(left('/gre')).toBe('');
    expect(withoutQuery('@pl now', { sign: '@', text: 'pl', from: 0, to: 3 })).toBe('now');
  });
});
