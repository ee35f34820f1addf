import { expect, test } from 'vitest';
import { adviseAddress, isOtherAddress } from '../../../src-renderer/models/model-address';
import { checkModelEndpoint } from '../../../src-shared/models/model-rule';
import { ENDPOINT_ADVICE } from '../../../src-shared/servers/endpoint-rule';

test.each(['', '  ', 'h', 'HTTP', 'http:/', 'http://', 'https://'])('says nothing yet of %j', (typed) => {
  expect(adviseAddress(typed)).toEqual({ kind: 'nothing-yet' });
});

const problems: [typed: string, text: string][] = [
  ['http://api.provider.example/v1', ENDPOINT_ADVICE['not-encrypted']],
  ['http://192.168.1.5:11434/v1', ENDPOINT_ADVICE['not-encrypted']],
  ['http://127.1:11434/v1', ENDPOINT_ADVICE['not-encrypted']],
  ['api.provider.example', ENDPOINT_ADVICE['not-a-url']],
  ['file:///etc/passwd', ENDPOINT_ADVICE['unsupported-scheme']],
  ['https://user:word@api.provider.example', ENDPOINT_ADVICE['credentials-in-url']],
  ['https://api.provider.example/v1#x', ENDPOINT_ADVICE['fragment-in-url']],
  ['https://api.provider.example/v1?key=1', 'Remove the part of the address from ? on.'],
];
test.each(problems)('E1: advises against %s while it is typed: %s', (typed, text) => {
  expect(adviseAddress(typed)).toEqual({ kind: 'problem', text });
});

const fitting: [typed: string, leaves: boolean, host: string][] = [
  ['http://127.0.0.1:11434/v1', false, '127.0.0.1:11434'],
  ['http://localhost:1234/v1', false, 'localhost:1234'],
  [' https://api.provider.example/v1 ', true, 'api.provider.example'],
];
test.each(fitting)('E3: says of %j whether it leaves (%s) and to which host', (typed, leaves, host) => {
  expect(adviseAddress(typed)).toEqual({ kind: 'fits', host, leaves, warning: null });
});

test('warns of a host that mixes alphabets', () => {
  const advice = adviseAddress('https://gооgle.example/v1');
  expect(advice.kind === 'fits' && advice.warning).toMatch(/alphabets/);
});

test('E2: nothing that main would refuse is said to fit', () => {
  for (const [typed] of [...problems, ...fitting]) {
    expect(adviseAddress(typed).kind === 'fits').toBe(checkModelEndpoint(typed.trim()).ok);
  }
});

const moves: [typed: string, moves: boolean][] = [
  ['https://api.provider.example/v1', false],
  [' https://API.Provider.example/v1 ', false],
  ['https://api.provider.example/v2', true],
  ['https://api.other.example/v1', true],
  ['https://', true],
];
test.each(moves)('S5: changing the address to %j is a move: %s', (typed, expected) => {
  expect(isOtherAddress('https://api.provider.example/v1', typed)).toBe(expected);
});
