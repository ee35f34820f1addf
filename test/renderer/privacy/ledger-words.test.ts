import { expect, test } from 'vitest';
import { erasedSentence, ledgerSize, ledgerTime, outcomeWords, routeNameOf } from '../../../src-renderer/privacy/ledger-words';
import { HANDED_OVER, type LedgerRow, type Route } from '../../../src-shared/egress/egress.schema';

const outcomes: [outcome: LedgerRow['outcome'], status: number | null, leaves: boolean, role: string, words: string][] = [
  ['answered', 200, true, 'leave', 'answered'],
  ['answered', 200, false, 'stay', 'answered'],
  ['answered', null, false, 'stay', 'answered'],
  ['answered', 401, true, 'leave', 'answered: error'],
  ['failed', null, true, 'plain', 'no answer'],
  ['failed', 200, true, 'plain', 'broke off'],
  ['cut-off', null, true, 'plain', 'cut off'],
  ['open', null, true, 'plain', 'under way'],
  ['refused', null, true, 'stop', 'not sent'],
  ['refused', null, false, 'stop', 'not sent'],
];
test.each(outcomes)(
  'P4: a request that is %s with status %s (leaves: %s) reads as %s: %s',
  (outcome, status, leaves, role, words) => {
    expect(outcomeWords({ outcome, status, method: 'POST' }, leaves)).toMatchObject({ role, words });
  },
);

const handed: [outcome: LedgerRow['outcome'], role: string, words: string][] = [
  ['answered', 'leave', 'opened in your browser'],
  ['failed', 'plain', 'no browser opened'],
  ['refused', 'stop', 'not sent'],
];
test.each(handed)('P4: an address handed to the browser that is %s reads as %s: %s', (outcome, role, words) => {
  expect(outcomeWords({ outcome, status: null, method: HANDED_OVER }, true)).toMatchObject({ role, words });
});

test('P4: every outcome has a drawing of its own or that of the gate, so colour never stands alone', () => {
  for (const [outcome, status, leaves] of outcomes) {
    const { role, icon } = outcomeWords({ outcome, status, method: 'POST' }, leaves);
    expect(role !== 'plain' || icon !== undefined).toBe(true);
  }
});

const routes = [{ id: 'model-1', name: 'Ollama' }] as unknown as Route[];
const names: [routeId: string, name: string][] = [
  ['model-1', 'Ollama'],
  ['model-2', 'removed since'],
  ['', 'no route'],
];
test.each(names)('P4: calls the route "%s" %s', (routeId, name) => {
  expect(routeNameOf(routeId, routes)).toBe(name);
});

test('tells the time alone today, and the day with it before', () => {
  const at = new Date(2026, 7, 25, 14, 3, 22).getTime();
  expect(ledgerTime(at, new Date(2026, 7, 25, 23, 59).getTime())).toBe('14:03:22');
  expect(ledgerTime(at, new Date(2026, 7, 26, 0, 1).getTime())).toBe('25 August, 14:03:22');
  expect(ledgerTime(at, new Date(2027, 0, 1).getTime())).toBe('25 August 2026, 14:03:22');
});

const sizes: [count: number, shown: number, erased: number, words: string][] = [
  [0, 0, 0, '0 entries'],
  [1, 1, 0, '1 entry'],
  [1496, 200, 0, '1,496 entries, the latest 200 shown'],
  [3, 3, 1200, '3 entries, 1,200 erased before'],
];
test.each(sizes)('P4: of %i entries with %i shown and %i erased, says: %s', (count, shown, erased, words) => {
  expect(ledgerSize(count, shown, erased)).toBe(words);
});

const erasures: [erased: number, words: string][] = [
  [0, 'There was nothing to erase.'],
  [1, '1 entry was erased. The ledger goes on, and says so.'],
  [1496, '1,496 entries were erased. The ledger goes on, and says so.'],
];
test.each(erasures)('P4: after erasing %i, says: %s', (erased, words) => {
  expect(erasedSentence(erased)).toBe(words);
});
