import { describe, expect, test } from 'vitest';
import { failed, ok } from '../../../src-shared/base/result';
import { checkAddressTemplate, expandAddress, plainAddress } from '../../../src-shared/servers/address-template';
import { proposeAddress } from '../../../src-shared/servers/secret-proposal';
import type { LookUp } from '../../../src-shared/servers/variables-rule';

const SET: Record<string, string> = {
  SERVER: 'https://mcp.example.com',
  SLASH: 'https://mcp.example.com/',
  LOCAL: 'http://localhost:3000',
  PLAIN: 'http://mcp.example.com',
  ODD: 'http://127.1',
  WITH_PATH: 'https://mcp.example.com/x',
  USER: 'https://me@mcp.example.com',
  HOST: 'evil.example',
  KEY: 'a&b=c/../d#e f',
  UP: '..',
  LINE: 'a\nb',
};
const lookUp: LookUp = (reference) => {
  const value = reference.kind === 'env' ? SET[reference.name] : 'typed?';
  return value === undefined ? failed('unset') : ok(value);
};
const expand = (text: string): string => {
  const expanded = expandAddress(text, lookUp);
  return expanded.ok ? expanded.value.checked.address : `refused: ${expanded.problem}`;
};

describe('S6 X7: where a variable stands in an address', () => {
  test.each([
    ['https://mcp.example.com/mcp', 'https://mcp.example.com/mcp'],
    ['HTTPS://MCP.Example.com/${KEY}/x?k=${KEY}', 'https://mcp.example.com/${KEY}/x?k=${KEY}'],
    ['${SERVER}', '${SERVER}'],
    ['${SERVER}/mcp?k=${KEY}', '${SERVER}/mcp?k=${KEY}'],
    ['${SERVER:-https://mcp.example.com}/mcp', '${SERVER:-https://mcp.example.com}/mcp'],
    ['http://localhost:1/${KEY}', 'http://localhost:1/${KEY}'],
  ])('%s is stored as %s', (text, stored) => {
    expect(checkAddressTemplate(text)).toEqual(ok(stored));
  });

  test.each([
    'https://${TOKEN}.evil.example',
    'https://${HOST}/mcp',
    'https://${HOST}',
    'https://mcp.example.com${HOST}/x',
    'https://mcp.example.com:${PORT}/x',
    'https://${USER}@mcp.example.com',
    '${SCHEME}://mcp.example.com',
    '${SERVER}evil/mcp',
    '${SERVER}${HOST}/mcp',
    '${SERVER}:80/mcp',
    'http://mcp.example.com/${KEY}',
    'https://me:pw@mcp.example.com/${KEY}',
    '${SERVER}/mcp#${KEY}',
    'ftp://mcp.example.com/${KEY}',
    'x${SERVER}/mcp',
    `https://mcp.example.com/\${KEY}${'x'.repeat(2048)}`,
  ])('%.60s is refused', (text) => {
    expect(checkAddressTemplate(text).ok).toBe(false);
    expect(expand(text)).toMatch(/^refused: /);
  });
});

describe('S6 E1: the address that comes out is judged as a typed one', () => {
  test.each([
    ['${SERVER}/mcp', 'https://mcp.example.com/mcp'],
    ['${SLASH}/mcp', 'https://mcp.example.com/mcp'],
    ['${LOCAL}/mcp', 'http://localhost:3000/mcp'],
    ['${UNSET:-https://other.example}/mcp', 'https://other.example/mcp'],
    ['https://nice.example/${KEY}', 'https://nice.example/a%26b%3Dc%2F..%2Fd%23e%20f'],
    ['https://nice.example/?k=${KEY}&l=1', 'https://nice.example/?k=a%26b%3Dc%2F..%2Fd%23e%20f&l=1'],
    ['https://nice.example/?k=${input:k}', 'https://nice.example/?k=typed%3F'],
  ])('%s becomes %s', (text, address) => {
    expect(expand(text)).toBe(address);
  });

  test.each([
    ['${PLAIN}/mcp', /^refused: Use an https address/],
    ['${ODD}/mcp', /^refused: Use an https address/],
    ['${WITH_PATH}/mcp', /^refused: WITH_PATH must hold the beginning of an address alone/],
    ['${USER}/mcp', /^refused: Remove the user name/],
    ['${HOST}/mcp', /^refused: HOST must hold the beginning/],
    ['${UNSET}/mcp', /^refused: The variable UNSET, used in the address, is not set/],
    ['https://nice.example/${UP}/x', /^refused: UP, used in the address, holds a value that cannot stand there/],
    ['https://nice.example/${LINE}', /^refused: LINE, used in the address, holds a line end/],
  ])('%s is %s', (text, refused) => {
    expect(expand(text)).toMatch(refused);
  });
});

test.each<[string, string | null, string | null]>([
  ['https://a.example/mcp?k=1', null, 'https://a.example/mcp?k=1'],
  ['https://a.example/mcp?k=${K}', null, 'https://a.example/mcp'],
  ['https://a.example/v1/${K}/mcp', null, 'https://a.example/v1/'],
  ['https://a.example/v1/x${K:-a?b/c}/mcp', null, 'https://a.example/v1/'],
  ['${S}/mcp?k=${K}', null, null],
  ['${S}/mcp?k=${K}', 'https://b.example', 'https://b.example/mcp'],
  ['${S}', 'https://b.example', 'https://b.example'],
  ['https://${H}/x', 'https://b.example', null],
])('S6 P1: what can be told of %s with the origin %s is %s', (text, origin, plain) => {
  expect(plainAddress(text, origin)).toBe(plain);
});

describe('S5: a query value that looks like a secret', () => {
  test.each([
    ['https://a.example/x?api_key=s3cr%20et+1', '?api_key=${input:api_key}', [{ key: 'api_key', value: 's3cr et 1' }]],
    ['https://a.example/x?v=1&token=t', '?v=1&token=${input:token}', [{ key: 'token', value: 't' }]],
    ['https://a.example/x?sig=a&sig=b', '?sig=${input:sig}&sig=b', [{ key: 'sig', value: 'a' }]],
  ])('in %s is proposed to be one', (address, query, inputs) => {
    expect(proposeAddress(address)).toEqual({ endpoint: `https://a.example/x${query}`, inputs });
  });

  test.each([
    'https://a.example/x',
    'https://a.example/x?v=1',
    'https://a.example/x?token=',
    'https://a.example/x?token=${TOKEN}',
    'https://a.example/x?token=%zz',
    'https://a.example/x?to%6ben=1',
  ])('%s needs none', (address) => {
    expect(proposeAddress(address)).toBeNull();
  });
});
