import { expect, test } from 'vitest';
import { flowPlaces } from '../../../src-renderer/approvals/flow-places';
import type { ShownArgument, ShownSource } from '../../../src-shared/approvals/approval.schema';

const plain = [{ kind: 'text' as const, text: 'own words' }];
const from = (source: number) => [...plain, { kind: 'text' as const, text: 'their words', source }];
const argument = (value: ShownArgument['value'], name: ShownArgument['name'] = plain): ShownArgument => ({
  name,
  type: 'text',
  bytes: 9,
  value,
});
const source = (name: string, fresh: number): ShownSource => ({
  kind: 'result',
  serverName: 'files',
  name: [{ kind: 'text', text: name }],
  fresh,
});

test('A6: says which argument holds words of which source, in its name too', () => {
  const sources = [source('read', 1), source('list', 1)];
  const { contained, inChat } = flowPlaces({
    sources,
    arguments: [argument(plain), argument(from(1)), argument(plain, from(1))],
  });
  expect(contained).toEqual([{ source: sources[1], nth: 1, places: [1, 2] }]);
  expect(inChat).toEqual([sources[0]]);
});

test('A6: what was covered is told of only where its words stand', () => {
  const sources = [source('read', 0), source('list', 0)];
  const { contained, inChat } = flowPlaces({ sources, arguments: [argument(from(0))] });
  expect(contained.map(({ nth }) => nth)).toEqual([0]);
  expect(inChat).toEqual([]);
});

test('A6: a sheet without text of others says nothing', () => {
  expect(flowPlaces({ arguments: [argument(plain)] })).toEqual({ contained: [], inChat: [] });
});
