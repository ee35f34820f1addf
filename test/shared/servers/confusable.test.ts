import { describe, expect, test } from 'vitest';
import { skeleton } from '../../../src-shared/servers/confusable';
import { NameMarks, type NameMark } from '../../../src-shared/servers/name-marks';
import type { ServerId } from '../../../src-shared/servers/server.schema';

describe('skeleton', () => {
  const alike: [one: string, other: string, because: string][] = [
    ['read_file', 'read_fi1e', 'the digit one for an l (X17)'],
    ['read_file', 'read_fiIe', 'a capital I for an l'],
    ['read_file', 'Read File', 'case and the mark between words'],
    ['github', 'gіthub', 'a Cyrillic і (X17)'],
    ['github', 'GitHub', 'case alone'],
    ['github', 'git\u200bhub', 'an invisible character'],
    ['github', 'ｇｉｔｈｕｂ', 'full-width letters'],
    ['github', 'gíthub', 'an accent'],
    ['notes', 'nοtes', 'a Greek ο'],
    ['notes', 'n0tes', 'a zero for an o'],
    ['modern', 'rnodern', 'r and n for an m'],
    ['modern', 'modem', 'an m for r and n'],
    ['wiki', 'vviki', 'two v for a w'],
    ['sales', '$a1es', 'a dollar sign and a digit'],
    ['scope', 'ѕсоре', 'Cyrillic letters only'],
  ];
  test.each(alike)('N7: %j and %j look alike (%s)', (one, other) => {
    expect(skeleton(one)).toBe(skeleton(other));
  });

  const apart: [one: string, other: string][] = [
    ['github', 'gitlab'],
    ['read_file', 'read_files'],
    ['notes', 'note'],
    ['read_file', 'readfile'],
    ['日本', '中国'],
    ['', 'a'],
  ];
  test.each(apart)('N7: %j and %j do not', (one, other) => {
    expect(skeleton(one)).not.toBe(skeleton(other));
  });

  test('N7: a name of a million characters is compared in no time', () => {
    const from = performance.now();
    expect(skeleton('і'.repeat(1_000_000))).toHaveLength(512);
    expect(performance.now() - from).toBeLessThan(200);
  });
});

describe('NameMarks', () => {
  const [own, other, third] = ['own', 'other', 'third'] as ServerId[] as [ServerId, ServerId, ServerId];
  const marks = (name: string, namespace: string | null = null) =>
    new NameMarks([
      { id: own, name, namespace },
      { id: other, name: 'GitHub', namespace: 'github' },
      { id: third, name: 'Notes', namespace: 'notes' },
    ]);

  const wordsOf = (said: NameMark[]): string[] => said.map(({ words }) => words);

  const servers: [name: string, namespace: string | null, said: string[]][] = [
    ['Tracker', 'tracker', []],
    ['GіtHub', 'tracker', ['looks like “GitHub”, which is another server']],
    ['GitHub', 'tracker', ['looks like “GitHub”, which is another server']],
    ['Tracker', 'git-hub', []],
    ['Tracker', 'n0tes', ['looks like “Notes”, which is another server']],
    ['read_fi1e', null, ['looks like “read_file”, which is one of Portcullis’s own tools']],
    ['use_tool', null, ['is also the name of one of Portcullis’s own tools']],
  ];
  test.each(servers)('N7, X17: a server called %j with the short name %j', (name, namespace, said) => {
    expect(wordsOf(marks(name, namespace).ofServer(own))).toEqual(said);
  });

  test('N7: both servers of one look are marked, each with the other’s name, and nobody with its own', () => {
    const both = marks('GіtHub', 'tracker');
    expect(wordsOf(both.ofServer(other))).toEqual(['looks like “GіtHub”, which is another server']);
    expect(marks('Tracker', 'Tracker').ofServer(own)).toEqual([]);
    expect(marks('x').ofServer('gone' as ServerId)).toEqual([]);
  });

  const tools: [rawName: string, said: string | null][] = [
    ['find', null],
    ['read_fi1e', 'looks like “read_file”, which is one of Portcullis’s own tools'],
    ['rеad_file', 'looks like “read_file”, which is one of Portcullis’s own tools'],
    ['read_file', 'is also the name of one of Portcullis’s own tools'],
    ['github', 'looks like “GitHub”, which is another server'],
    ['github__create_issue', 'looks like “GitHub”, which is another server'],
    ['g1thub__create_issue', 'looks like “GitHub”, which is another server'],
    ['tracker__find', null],
  ];
  test.each(tools)('N7, X2, X17: a tool called %j', (rawName, said) => {
    const made = marks('Tracker', 'tracker');
    expect(made.ofTool(own, rawName)).toBe(said);
    expect(made.ofTool(own, rawName)).toBe(said);
  });
});
