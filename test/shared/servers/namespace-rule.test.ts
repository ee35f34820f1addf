import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  checkNamespace,
  NAMESPACE_ADVICE,
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

test('N1: each problem has advice of its own, a whole sentence', () => {
  const advice = Object.entries(NAMESPACE_ADVICE);
  expect(advice.map(([problem]) => problem).sort()).toEqual([
    'bad-character',
    'bad-end',
    'bad-start',
    'double-underscore',
    'empty',
    'too-long',
  ]);
  for (const [, sentence] of advice) expect(sentence).toMatch(/^[A-Z].*\.$/);
  expect(new Set(advice.map(([, sentence]) => sentence)).size).toBe(advice.length);
});

test('N1: at the longest length the last character is what is wrong, one more is too long', () => {
  expect(checkNamespace(`a${'b'.repeat(22)}-`)).toEqual({ ok: false, problem: 'bad-end' });
  expect(checkNamespace(`a${'b'.repeat(23)}-`)).toEqual({ ok: false, problem: 'too-long' });
});

test('N1: names differ unless only their case does', () => {
  expect([sameNamespace('Files', 'fILES'), sameNamespace('files', 'file')]).toEqual([true, false]);
});

test.each([
  ['aßb', 'assb'],
  ['aæb', 'aaeb'],
  ['aœb', 'aoeb'],
  ['aøb', 'aob'],
  ['ađb', 'adb'],
  ['ałb', 'alb'],
  ['aþb', 'athb'],
  ['aðb', 'adb'],
  ['aıb', 'aib'],
  ['a--', 'a'],
  ['a_-_', 'a'],
  ['ﬁles', 'files'],
])('N1: %s is spelled %s', (name, namespace) => {
  expect(suggestNamespace(name, [])).toBe(namespace);
});
