import { ESLint } from 'eslint';
import { beforeAll, describe, expect, test } from 'vitest';

// Type-aware rules need a file on disk; the doors and tiers do not, and are judged alone.
const lint = new ESLint({
  overrideConfig: [
    {
      files: ['src-main/**/*.ts'],
      languageOptions: { parserOptions: { project: null } },
      rules: {
        '@typescript-eslint/no-floating-promises': 'off',
        '@typescript-eslint/no-misused-promises': 'off',
        '@typescript-eslint/switch-exhaustiveness-check': 'off',
      },
    },
  ],
});

async function complaints(filePath: string, code: string): Promise<string[]> {
  const [result] = await lint.lintText(code, { filePath });
  return (result?.messages ?? []).map(({ message }) => message);
}

const refused: [because: string, file: string, code: string, message: string][] = [
  ['undici outside egress', 'src-main/sessions/x.ts', "export { fetch as f } from 'undici';", 'Only egress may import undici.'],
  ['a file inside undici', 'src-main/agent/x.ts', "export { a } from 'undici/lib/a.js';", 'Only egress may import undici.'],
  ['a socket outside egress', 'src-main/tools/x.ts', "export { connect } from 'node:net';", 'Only egress may import net.'],
  ['a socket by its short name', 'src-main/tools/x.ts', "export { connect } from 'net';", 'Only egress may import net.'],
  ['DNS outside egress', 'src-main/app/x.ts', "export { lookup } from 'node:dns/promises';", 'Only egress may import dns.'],
  [
    'a program outside processes',
    'src-main/sessions/x.ts',
    "export { spawn } from 'node:child_process';",
    'Only processes may import child_process.',
  ],
  [
    'a worker outside processes',
    'src-main/tools/x.ts',
    "export { Worker } from 'node:worker_threads';",
    'Only processes may import worker_threads.',
  ],
  [
    'keytar outside secrets',
    'src-main/servers/x.ts',
    "import keytar from 'keytar';\nexport const k = keytar;",
    'Only secrets may import keytar.',
  ],
  [
    'electron-store outside storage',
    'src-main/servers/x.ts',
    "import S from 'electron-store';\nexport const s = S;",
    'Only storage may import electron-store.',
  ],
  [
    'files outside storage',
    'src-main/agent/x.ts',
    "export { readFile } from 'node:fs/promises';",
    'Only storage, processes, secrets, app, workspace-files may import fs.',
  ],
  [
    'ipcMain outside ipc',
    'src-main/app/x.ts',
    "export { ipcMain } from 'electron';",
    'Only ipc may import ipcMain from electron.',
  ],
  [
    'shell outside egress',
    'src-main/app/x.ts',
    "export { shell } from 'electron';",
    'Only egress may import shell from electron.',
  ],
  [
    'utilityProcess outside its rooms',
    'src-main/tools/x.ts',
    "export { utilityProcess } from 'electron';",
    'Only secrets, processes may import utilityProcess from electron.',
  ],
  ["Electron's own network", 'src-main/egress/x.ts', "export { net } from 'electron';", 'Nothing may import net from electron.'],
  [
    "Electron's updater",
    'src-main/app/x.ts',
    "export { autoUpdater } from 'electron';",
    'Nothing may import autoUpdater from electron.',
  ],
  [
    'all of Electron under one name',
    'src-main/app/x.ts',
    "import * as e from 'electron';\nexport const x = e;",
    'Name what is taken from electron.',
  ],
  [
    'a higher room',
    'src-main/servers/x.ts',
    "export { a } from '../sessions/session-pool';",
    'servers may not import sessions: a room imports only lower tiers.',
  ],
  [
    'a room of the same tier',
    'src-main/servers/x.ts',
    "export { a } from '../models/model-store';",
    'servers may not import models: a room imports only lower tiers.',
  ],
  [
    'the window from main',
    'src-main/app/x.ts',
    "export { a } from '../../src-renderer/host/host';",
    'src-main may not import the window.',
  ],
  ['fetch in main', 'src-main/sessions/x.ts', "export const a = () => fetch('https://a.example');", 'fetch goes around it.'],
  [
    'fetch through globalThis',
    'src-main/egress/x.ts',
    "export const a = () => globalThis.fetch('https://a.example');",
    'fetch goes around it.',
  ],
  [
    'fetch in a shared rule',
    'src-shared/tools/x.ts',
    "export const a = () => fetch('https://a.example');",
    'fetch goes around it.',
  ],
  [
    'fetch in the window',
    'src-renderer/chat/x.ts',
    "export const a = () => fetch('https://a.example');",
    'fetch goes around it.',
  ],
  [
    'Node in a shared rule',
    'src-shared/tools/x.ts',
    "export { join } from 'node:path';",
    'src-shared may import only src-shared, zod and @noble/hashes.',
  ],
  [
    'main from a shared rule',
    'src-shared/tools/x.ts',
    "export { a } from '../../src-main/tools/a';",
    'src-shared may import only src-shared, zod and @noble/hashes.',
  ],
  [
    'a clock in a shared rule',
    'src-shared/tools/x.ts',
    'export const a = () => Date.now();',
    'Shared rules have no clock: take the time as a parameter.',
  ],
  [
    'a new date in a shared rule',
    'src-shared/tools/x.ts',
    'export const a = () => new Date();',
    'Shared rules have no clock: take the time as a parameter.',
  ],
  [
    'chance in a shared rule',
    'src-shared/tools/x.ts',
    'export const a = () => Math.random();',
    'Shared rules have no chance: take random values as a parameter.',
  ],
  [
    'a timer in a shared rule',
    'src-shared/tools/x.ts',
    'export const a = () => setTimeout(a, 1);',
    'setTimeout is not part of a rule.',
  ],
  [
    'main from the window',
    'src-renderer/chat/x.ts',
    "export { a } from '../../src-main/tools/a';",
    'src-renderer may not import src-main: it asks through host.',
  ],
  ['Node in the window', 'src-renderer/chat/x.ts', "export { join } from 'node:path';", 'The window has no Node.'],
  [
    'Electron in the window',
    'src-renderer/chat/x.ts',
    "export { ipcRenderer } from 'electron';",
    'The window has no Electron: it asks through host.',
  ],
  ['a default export', 'src-shared/tools/x.ts', 'export default 1;', 'Exports have names.'],
  ['an enum', 'src-main/tools/x.ts', 'export enum A { B }', 'A closed set is a union of literals, not an enum.'],
  [
    'a module chosen while running',
    'src-main/tools/x.ts',
    'export const a = (n: string) => import(n);',
    'A dynamic import names its module as a literal.',
  ],
  ['a barrel', 'src-main/tools/index.ts', "export { a } from './a';", 'No barrels: import from the file that has the thing.'],
  [
    'a comment that silences a rule',
    'src-main/tools/x.ts',
    "/* eslint-disable */\nexport { fetch } from 'undici';",
    'Only egress may import undici.',
  ],
];

const allowed: [because: string, file: string, code: string][] = [
  ['egress owns undici', 'src-main/egress/x.ts', "export { request } from 'undici';"],
  ['processes owns programs', 'src-main/processes/x.ts', "export { spawn } from 'node:child_process';"],
  ['a lower room', 'src-main/sessions/x.ts', "export { a } from '../servers/server-store';"],
  ['shared rules for main', 'src-main/servers/x.ts', "export { ok } from '../../src-shared/base/result';"],
  ['hashes in a shared rule', 'src-shared/tools/x.ts', "export { sha256 } from '@noble/hashes/sha2.js';"],
  ['a date made from a number', 'src-shared/tools/x.ts', 'export const a = (at: number) => new Date(at).toISOString();'],
];

describe('the lint rules of the house', () => {
  beforeAll(() => complaints('src-shared/tools/x.ts', ''), 30_000);

  test.each(refused)('refuse %s', async (_because, file, code, message) => {
    expect((await complaints(file, code)).filter((complaint) => complaint.includes(message))).not.toEqual([]);
  });

  test.each(allowed)('allow that %s', async (_because, file, code) => {
    expect(await complaints(file, code)).toEqual([]);
  });
});
