import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { HostileCase } from './hostile-case';
import { httpCases } from './http-cases';
import { listCases } from './list-cases';
import { oauthCases } from './oauth-cases';
import { protocolCases } from './protocol-cases';
import { resultCases } from './result-cases';
import { stdioCases } from './stdio-cases';

interface Listed {
  id: string;
  kind: string;
  modes?: string[];
}

const listed = JSON.parse(readFileSync(resolve(import.meta.dirname, '../fixtures/hostile/cases.json'), 'utf8')) as Listed[];
const nameOf = ({ id, mode }: Pick<HostileCase, 'id' | 'mode'>): string => `${id} ${mode}`.trim();

test('Q2: every hostile server of kinds a to f is met in every mode', () => {
  const wanted = listed
    .filter(({ kind }) => 'abcdef'.includes(kind))
    .flatMap(({ id, modes = [''] }) => modes.map((mode) => nameOf({ id, mode })));
  const met = [...stdioCases, ...httpCases, ...listCases, ...resultCases, ...protocolCases, ...oauthCases].map(nameOf);
  expect(met).toEqual([...new Set(met)]);
  expect([...met].sort()).toEqual([...wanted].sort());
});
