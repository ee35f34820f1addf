import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  checkNamespace,
  type NamespaceProblem,
  sameNamespace,
  suggestNamespace,
} from '../../../src-shared/servers/namespace-rule';

const LEGAL = /^[a-z](?:(?:[a-z0-9-]|_(?!_)){0,22}[a-z0-9])?$/;

const accepted = ['a', 'files', 'git-hub', 'git_hub', 'a1', 'a-_-b', `a${'b'.repeat(23)}`];
test.each(accepted)('N1: accepts %s', (namespace) => {
  expect(checkNamespace(namespace)).toEqual({ ok: true, value: namespace });
});

const rejected: [namespace: string, problem: NamespaceProblem][] = [
  ['', 'empty'],
  ['Files', 'bad-character'],
  ['my files', 'bad-character'],
  ['files\n', 'bad-character'],
  ['fıles', 'bad-character'],
  ['a.b', 'bad-character'],
  ['1files', 'bad-start'],
  ['_files', 'bad-start'],
  ['-', 'bad-start'],
  ['git__hub', 'double-underscore'],
  ['files_', 'bad-end'],
  ['files-', 'bad-end'],
  ['a'.repeat(25), 'too-long'],
];
test.each(rejected)('N1: rejects %j as %s', (namespace, problem) => {
  expect(checkNamespace(namespace)).toEqual({ ok: false, problem });
});

test('N1: the check and the pattern agree on every text', () => {
  const near = fc.stringMatching(/^[a-z0-9_-]{0,26}$/);
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), (text) => {
      expect(checkNamespace(text).ok).toBe(LEGAL.test(text));
    }),
  );
});

const suggested: [name: string, namespace: string][] = [
  ['files', 'files'],
  ['Company knowledge base and policy search', 'company-knowledge-base-a'],
  ['GitHub (work)', 'github-work'],
  ['my_server', 'my_server'],
  ['my__server', 'my_server'],
  ['a - _ b', 'a-b'],
  ['Ünïcödé', 'unicode'],
  ['Straße Łódź', 'strasse-lodz'],
  ['ＦＵＬＬ width', 'full-width'],
  ['İstanbul', 'istanbul'],
  ['42 answers', 'answers'],
  ['日本語', 'server'],
  ['🙂', 'server'],
  ['', 'server'],
  ['---', 'server'],
];
test.each(suggested)('N1: suggests for %j the namespace %s', (name, namespace) => {
  expect(suggestNamespace(name, [])).toBe(namespace);
});

test('N1: a suggestion is unique ignoring case, and the next ones count up', () => {
  expect(suggestNamespace('Files', ['FILES'])).toBe('files-2');
  expect(suggestNamespace('Files', ['files', 'files-2'])).toBe('files-3');
  expect(suggestNamespace('a'.repeat(40), ['a'.repeat(24)])).toBe(`${'a'.repeat(22)}-2`);
  expect(sameNamespace('Files', 'fILES')).toBe(true);
});

test('N1: any name at all gives a legal namespace that nobody has', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.array(fc.string()), (name, others) => {
      const first = suggestNamespace(name, others);
      const second = suggestNamespace(name, [...others, first]);
      expect(first).toMatch(LEGAL);
      expect(second).toMatch(LEGAL);
      expect(second).not.toBe(first);
    }),
  );
});
