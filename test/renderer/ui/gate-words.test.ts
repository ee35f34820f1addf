import { expect, test } from 'vitest';
import { gateWords } from '../../../src-renderer/ui/gate-words';

const table: [leaves: boolean, where: string, words: string][] = [
  [true, 'tracker.example', 'leaves to tracker.example'],
  [false, '127.0.0.1:3000', 'stays here: 127.0.0.1:3000'],
  [false, '/usr/bin/node', 'runs here: /usr/bin/node'],
  [false, 'C:\\Program Files\\node.exe', 'runs here: C:\\Program Files\\node.exe'],
];
test.each(table)('P3: leaves %s, %s is said as "%s"', (leaves, where, words) => {
  expect(gateWords({ leaves, where })).toBe(words);
});
