import { expect, test } from 'vitest';
import { baseEnvironment } from '../../../src-main/sessions/base-environment';

test('B08: only the named variables are inherited', () => {
  const host = {
    PATH: '/bin',
    HOME: '/h',
    LANG: 'C',
    LC_ALL: 'C',
    OPENAI_API_KEY: 'k',
    NODE_OPTIONS: '--x',
    LD_PRELOAD: 'x',
    path: '/evil',
  };
  expect(baseEnvironment(host, [], 'linux')).toEqual([
    { name: 'HOME', value: '/h' },
    { name: 'LANG', value: 'C' },
    { name: 'PATH', value: '/bin' },
  ]);
});

test('B08: what an entry sets is not inherited beside it', () => {
  expect(baseEnvironment({ PATH: '/bin', HOME: '/h' }, ['PATH'], 'linux')).toEqual([{ name: 'HOME', value: '/h' }]);
});

test('B08: on Windows names are compared without case and kept as they are written', () => {
  const host = {
    Path: 'C:\\x',
    SystemRoot: 'C:\\Windows',
    'ProgramFiles(x86)': 'C:\\p',
    windir: 'C:\\Windows',
    GitHub_Token: 'k',
  };
  expect(baseEnvironment(host, ['systemroot'], 'win32').map(({ name }) => name)).toEqual(['Path', 'ProgramFiles(x86)', 'windir']);
});

test('a value that is a shell function is not passed on', () => {
  expect(baseEnvironment({ TERM: '() { :; }; id' }, [], 'linux')).toEqual([]);
});
