import { expect, test } from 'vitest';
import { launchInWords } from '../../../src-shared/servers/launch-words';
import type { Connection, StoredValue } from '../../../src-shared/servers/server.schema';

const literal = (value: string): StoredValue => ({ kind: 'literal', value });
const secret: StoredValue = { kind: 'secret', ref: 'secret-1' as never };
const program = (...args: StoredValue[]): Connection => ({ kind: 'stdio', command: 'npx', args, env: [] });

const table: [what: string, connection: Connection, realPath: string | null, words: string][] = [
  ['the path that was found, before what was typed', program(literal('-y')), '/usr/bin/npx', '/usr/bin/npx -y'],
  ['what was typed, before it was found', program(), null, 'npx'],
  ['two arguments and one with a blank apart', program(literal('a b'), literal('a'), literal('b')), null, 'npx "a b" a b'],
  ['an empty argument', program(literal('')), null, 'npx ""'],
  ['a secret by its name and not its value', program(secret), null, 'npx (a secret)'],
  ['an argument that only says it is one', program(literal('(a secret)')), null, 'npx "(a secret)"'],
  [
    'the whole address, and no header',
    { kind: 'http', endpoint: 'https://t.example/mcp?x=1', headers: [{ name: 'Authorization', value: literal('k') }] },
    null,
    'https://t.example/mcp?x=1',
  ],
];
test.each(table)('T1: tells %s', (_what, connection, realPath, words) => {
  expect(launchInWords(connection, realPath)).toBe(words);
});

test('T1: a long command is cut, and says by how much', () => {
  const words = launchInWords(program(literal('x'.repeat(5000))), null);
  expect(words).toMatch(/^npx x+ and 3004 characters more$/);
});
