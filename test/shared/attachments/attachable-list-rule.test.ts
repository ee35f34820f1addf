import { describe, expect, test } from 'vitest';
import {
  MAX_ATTACHABLES,
  readPromptList,
  readResourceList,
  readTemplateList,
} from '../../../src-shared/attachments/attachable-list-rule';

const nothingLike: [entry: unknown, because: string][] = [
  [null, 'nothing'],
  ['notes://1', 'a bare text'],
  [[], 'a list'],
  [{}, 'no address'],
  [{ uri: 42, uriTemplate: 42, name: 42 }, 'a number'],
  [{ uri: '', uriTemplate: '', name: '' }, 'an empty one'],
  [{ uri: 'x'.repeat(2049), uriTemplate: 'x'.repeat(2049), name: 'x'.repeat(2049) }, 'one too long to be one'],
];

describe('what a server lists to attach', () => {
  test.each(nothingLike)('W8: an entry %j costs itself alone (%s)', (broken) => {
    expect(readResourceList([broken, { uri: 'notes://1' }])).toMatchObject({ entries: [{ uri: 'notes://1' }], leftOut: 1 });
    expect(readTemplateList([broken, { uriTemplate: 'notes://{id}' }])).toMatchObject({ entries: [{}], leftOut: 1 });
    expect(readPromptList([broken, { name: 'greet' }])).toMatchObject({ entries: [{ rawName: 'greet' }], leftOut: 1 });
  });

  test('W8: a resource is called by its title, else its name, else its address', () => {
    const list = [{ uri: 'a', name: 'n', title: 't' }, { uri: 'b', name: 'n' }, { uri: 'c' }];
    expect(readResourceList(list).entries.map(({ name }) => name)).toEqual(['t', 'n', 'c']);
  });

  test('N3: of two with one address the first stays', () => {
    const { entries, leftOut } = readResourceList([
      { uri: 'a', name: 'first' },
      { uri: 'a', name: 'second' },
    ]);
    expect(entries).toMatchObject([{ name: 'first' }]);
    expect(leftOut).toBe(1);
  });

  test('R3: no more than the limit are kept, and the rest is counted', () => {
    const many = Array.from({ length: MAX_ATTACHABLES + 3 }, (_, nth) => ({ uri: `notes://${nth}` }));
    const { entries, leftOut } = readResourceList(many);
    expect(entries).toHaveLength(MAX_ATTACHABLES);
    expect(leftOut).toBe(3);
  });

  test('R3: a description is bounded', () => {
    const { entries } = readResourceList([{ uri: 'a', description: 'x'.repeat(1_000_000) }]);
    expect(entries[0]!.description).toHaveLength(2048);
  });

  const brokenArguments: [args: unknown, because: string][] = [
    ['city', 'no list'],
    [[null], 'an argument that is nothing'],
    [[{ name: '' }], 'one without a name'],
    [[{ name: 'a' }, { name: 'a' }], 'two of one name'],
    [Array.from({ length: 65 }, (_, nth) => ({ name: `a${nth}` })), 'more than anyone fills in'],
  ];
  test.each(brokenArguments)('W8: a prompt with arguments %j is left out (%s)', (args) => {
    expect(readPromptList([{ name: 'greet', arguments: args }])).toEqual({ entries: [], leftOut: 1 });
  });

  test('W8: an argument is required only when its server says exactly so', () => {
    const args = [{ name: 'a', required: true }, { name: 'b', required: 'true' }, { name: 'c' }];
    expect(readPromptList([{ name: 'greet', arguments: args }]).entries[0]!.arguments.map(({ required }) => required)).toEqual([
      true,
      false,
      false,
    ]);
  });
});
