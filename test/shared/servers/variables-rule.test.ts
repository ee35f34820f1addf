import { describe, expect, test } from 'vitest';
import { failed, ok } from '../../../src-shared/base/result';
import {
  expandTemplate,
  hidesValue,
  holdsVariable,
  inputKeysIn,
  type LookUp,
  placeInWords,
  type VariablePlace,
} from '../../../src-shared/servers/variables-rule';

const SET: Record<string, string> = {
  TOKEN: 't-1',
  EMPTY: '',
  DOLLAR: 'x${TOKEN}',
  BROKEN: 'a\r\nX-Evil: 1',
  NUL: 'a\0b',
  workspaceFolder: '/w',
};
const lookUp: LookUp = (reference) => {
  if (reference.kind === 'input') return reference.key === 'key' ? ok('typed') : failed('missing');
  const value = SET[reference.name];
  return value === undefined ? failed('unset') : ok(value);
};
const header: VariablePlace = { kind: 'header', name: 'Authorization' };
const expand = (text: string, place: VariablePlace = header) => {
  const expanded = expandTemplate(text, place, lookUp);
  return expanded.ok ? expanded.value.text : { problem: expanded.problem };
};

describe('S6 B74: which texts are variables', () => {
  test.each([
    ['${TOKEN}', 't-1'],
    ['Bearer ${TOKEN}', 'Bearer t-1'],
    ['${env:TOKEN}', 't-1'],
    ['${UNSET:-fallback}', 'fallback'],
    ['${env:UNSET:-fallback}', 'fallback'],
    ['${EMPTY:-fallback}', 'fallback'],
    ['${EMPTY}', ''],
    ['${UNSET:-}', ''],
    ['${TOKEN:-fallback}', 't-1'],
    ['${input:key}', 'typed'],
    ['${TOKEN}${TOKEN}', 't-1t-1'],
    ['${UNSET:-a:b/c?d}', 'a:b/c?d'],
  ])('%s becomes %s', (text, expected) => {
    expect(expand(text)).toBe(expected);
  });

  test.each([
    '--price=$5',
    '$HOME',
    '%PATH%',
    'a${b',
    '${${TOKEN}}',
    '${}',
    '${ TOKEN }',
    '$${',
    '${TOKEN-x}',
    '${1}',
    '${config:x}',
    '${my-name}',
    '${input:key:-x}',
    '$(TOKEN)',
    '`TOKEN`',
  ])('%s stays as it is', (text) => {
    expect(expand(text)).toBe(text);
    expect(holdsVariable(text)).toBe(false);
  });

  test('the value of one is not read again', () => {
    expect(expand('${DOLLAR}')).toBe('x${TOKEN}');
  });

  test('the keys that are asked for are each named once', () => {
    expect(inputKeysIn(['${input:key}', 'x ${input:key} ${input:other}', '${TOKEN}'])).toEqual(['key', 'other']);
  });
});

describe('S6 X7: what keeps a server from starting', () => {
  test.each<[string, VariablePlace, RegExp]>([
    ['${UNSET}', header, /^The variable UNSET, used in the header Authorization, is not set/],
    ['${UNSET}', { kind: 'command' }, /UNSET, used in the command, is not set/],
    ['${UNSET}', { kind: 'argument', index: 2 }, /UNSET, used in argument 3, is not set/],
    ['${input:other}', header, /^The secret “other”, used in the header Authorization, is missing/],
    ['${BROKEN}', header, /^BROKEN, used in the header Authorization, holds a line end or a NUL/],
    ['${NUL}', { kind: 'variable', name: 'X' }, /^NUL, used in the variable X, holds a line end or a NUL/],
    ['${UNSET:-a\nb}', header, /UNSET, used in the header Authorization, holds a line end/],
  ])('%j in %j is told by name and place', (text, place, problem) => {
    expect(expand(text, place)).toEqual({ problem: expect.stringMatching(problem) });
  });

  test('a locked keychain is told apart from a value that is missing', () => {
    const locked = expandTemplate('${input:key}', header, () => failed('locked'));
    expect(locked).toMatchObject({ ok: false, problem: expect.stringMatching(/is locked\. Unlock the keychain/) });
  });

  test('a value that its place cannot take is refused', () => {
    const refused = expandTemplate('${TOKEN}', header, lookUp, () => null);
    expect(refused).toMatchObject({ ok: false, problem: expect.stringMatching(/^TOKEN, .* cannot stand there/) });
  });

  test('a default that stood in is told', () => {
    expect(expandTemplate('${UNSET:-a}', header, lookUp)).toMatchObject({
      value: { used: [{ reference: { name: 'UNSET' }, value: 'a', byDefault: true }] },
    });
  });
});

const env = (name: string) => ({ kind: 'env' as const, name, fallback: null });

test.each<[string, VariablePlace, boolean]>([
  ['TOKEN', header, true],
  ['ANYTHING', header, true],
  ['ANYTHING', { kind: 'address' }, true],
  ['ANYTHING', { kind: 'variable', name: 'X' }, true],
  ['HOME', { kind: 'variable', name: 'X' }, false],
  ['ANYTHING', { kind: 'argument', index: 0 }, false],
  ['MY_TOKEN', { kind: 'argument', index: 0 }, true],
  ['MY_TOKEN', { kind: 'command' }, false],
  ['MY_TOKEN', { kind: 'folder' }, false],
  ['MY_TOKEN', { kind: 'origin' }, false],
  ['MY_TOKEN', { kind: 'variable', name: 'NODE_OPTIONS' }, false],
])('S6 T1: whether the value of %s in %j is hidden: %s', (name, place, hidden) => {
  expect(hidesValue(env(name), place)).toBe(hidden);
});

test('S6: what was asked for is hidden wherever it does not decide what runs', () => {
  expect(hidesValue({ kind: 'input', key: 'k' }, { kind: 'argument', index: 0 })).toBe(true);
  expect(hidesValue({ kind: 'input', key: 'k' }, { kind: 'command' })).toBe(false);
});

test.each<[VariablePlace, string]>([
  [{ kind: 'folder' }, 'the folder it runs in'],
  [{ kind: 'origin' }, 'the address'],
  [{ kind: 'address' }, 'the address'],
])('S6: the place %j has words', (place, words) => {
  expect(placeInWords(place)).toBe(words);
});
