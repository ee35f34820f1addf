import { expect, test } from 'vitest';
import { costOf, countedText } from '../../../src-shared/tools/token-cost';

test('R7: what tools cost is the sum of what is counted, and says when some are not', () => {
  expect(costOf([{ tokens: 12 }, { tokens: 30 }])).toEqual({ tokens: 42, complete: true });
  expect(costOf([{ tokens: 12 }, {}])).toEqual({ tokens: 12, complete: false });
  expect(costOf([])).toEqual({ tokens: 0, complete: true });
});

test('R7: the whole of what a model is told of a tool is counted', () => {
  const text = countedText({ name: 'mail__send', description: 'Sends.', parameters: { type: 'object' } });
  for (const part of ['mail__send', 'Sends.', '"type":"object"']) expect(text).toContain(part);
});
