import { describe, expect, test } from 'vitest';
import { expandTemplate, templateVariables } from '../../../src-shared/attachments/uri-template-rule';

const values = {
  var: 'value',
  hello: 'Hello World!',
  path: '/foo/bar',
  x: '1024',
  y: '768',
  empty: '',
  odd: "o'(b)*",
  half: '\ud800',
};

/** From the examples of RFC 6570, section 1.2 and 3.2, as far as they are about text. */
const expansions: [template: string, expanded: string][] = [
  ['{var}', 'value'],
  ['{hello}', 'Hello%20World%21'],
  ['{+hello}', 'Hello%20World!'],
  ['{+path}/here', '/foo/bar/here'],
  ['{path}', '%2Ffoo%2Fbar'],
  ['here?ref={+path}', 'here?ref=/foo/bar'],
  ['X{#hello}', 'X#Hello%20World!'],
  ['map?{x,y}', 'map?1024,768'],
  ['{x,hello,y}', '1024,Hello%20World%21,768'],
  ['X{.x,y}', 'X.1024.768'],
  ['{/var,x}/here', '/value/1024/here'],
  ['{;x,y,empty}', ';x=1024;y=768;empty'],
  ['{?x,y,empty}', '?x=1024&y=768&empty='],
  ['?fixed=yes{&x}', '?fixed=yes&x=1024'],
  ['{var:3}', 'val'],
  ['{var*}', 'value'],
  ['O{undef}X', 'OX'],
  ['{?undef,x}', '?x=1024'],
  ['O{+undef}X', 'OX'],
  ['{odd}', 'o%27%28b%29%2A'],
  ['{half}', '%EF%BF%BD'],
  ['notes://plain', 'notes://plain'],
];

describe('a template of resources', () => {
  test.each(expansions)('W8: %s becomes %s', (template, expanded) => {
    expect(expandTemplate(template, values)).toBe(expanded);
  });

  test('W8: a value stays within its place', () => {
    expect(expandTemplate('notes://{id}/body', { id: '../../secret?x#y' })).toBe('notes://..%2F..%2Fsecret%3Fx%23y/body');
  });

  test('W8: what every object inherits is no value', () => {
    expect(expandTemplate('{constructor}', {})).toBe('');
  });

  const variables: [template: string, names: string[] | null][] = [
    ['notes://{id}', ['id']],
    ['{a}/{b,c}{?a}', ['a', 'b', 'c']],
    ['plain', []],
    ['{', null],
    ['{}', null],
    ['{a b}', null],
    ['{a}}', null],
    ['{=a}', null],
    ['{a:0}', null],
  ];
  test.each(variables)('W8: %s asks for %j', (template, names) => {
    expect(templateVariables(template)).toEqual(names);
  });
});
