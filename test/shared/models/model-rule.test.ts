import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkModelEndpoint, listModels, toModelRow } from '../../../src-shared/models/model-rule';
import { ModelRowSchema } from '../../../src-shared/models/model.schema';

const accepted: [typed: string, address: string][] = [
  ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434/v1'],
  ['https://API.example.com/v1', 'https://api.example.com/v1'],
  ['https://bücher.example', 'https://xn--bcher-kva.example'],
];
test.each(accepted)('E1: takes %s as %s', (typed, address) => {
  expect(checkModelEndpoint(typed)).toEqual({ ok: true, value: address });
});

test.each([
  'http://api.example.com/v1',
  'http://127.1',
  'https://a.example/v1?key=1',
  'https://a.example/#x',
  'https://u@a.example',
  '',
])('E1: refuses %j, saying what to do', (typed) => {
  const checked = checkModelEndpoint(typed);
  expect(checked.ok ? '' : checked.problem).toMatch(/^[A-Z].*\.$/);
});

test('S2: any JSON gives one row an entry, each with an id of its own, and none of them on by itself', () => {
  const near = fc.record(
    {
      id: fc.constantFrom('model-a', 'model-b', 'x'),
      name: fc.string(),
      kind: fc.constant('openai-compatible'),
      endpoint: fc.webUrl(),
      model: fc.string(),
      key: fc.constant(null),
      addedAt: fc.integer(),
    },
    { requiredKeys: ['id'] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.jsonValue(), near)), (raws) => {
      const rows = listModels(raws).map(({ stored }) => toModelRow(stored, { on: false }));
      expect(rows.map((row) => ModelRowSchema.parse(row))).toEqual(rows);
      expect(new Set(rows.map(({ id }) => id)).size).toBe(raws.length);
    }),
  );
});
