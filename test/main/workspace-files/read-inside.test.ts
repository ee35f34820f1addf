import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readInside } from '../../../src-main/workspace-files/read-inside';
import { checkWorkspaceFolder } from '../../../src-main/workspace-files/workspace-folder';
import { tempFolder } from '../../support/temp-folder';

const MAX = 1024;

function setUp() {
  const top = tempFolder();
  const [root, outside] = [join(top, 'root'), join(top, 'outside')];
  for (const folder of [join(root, '.vscode'), outside]) mkdirSync(folder, { recursive: true });
  writeFileSync(join(outside, 'mcp.json'), 'out of the root');
  return { top, root, outside };
}

describe('readInside', () => {
  test('T3: reads a file in the root and in a folder of it, and says when there is none', async () => {
    const { root } = setUp();
    writeFileSync(join(root, '.mcp.json'), 'one');
    writeFileSync(join(root, '.vscode/mcp.json'), 'two');
    expect(await readInside(root, '.mcp.json', MAX)).toEqual({ ok: true, value: { kind: 'text', text: 'one' } });
    expect(await readInside(root, '.vscode/mcp.json', MAX)).toEqual({ ok: true, value: { kind: 'text', text: 'two' } });
    expect(await readInside(root, '.portcullis/mcp.json', MAX)).toEqual({ ok: true, value: { kind: 'absent' } });
  });

  test.each([
    [
      'the file is a link out of the root',
      (root: string, outside: string) => symlinkSync(join(outside, 'mcp.json'), join(root, '.mcp.json')),
    ],
    [
      'the file is a link inside the root',
      (root: string) => {
        writeFileSync(join(root, 'other.json'), 'x');
        symlinkSync(join(root, 'other.json'), join(root, '.mcp.json'));
      },
    ],
    ['the file is a link to nothing', (root: string) => symlinkSync(join(root, 'nothing'), join(root, '.mcp.json'))],
    ['it is a folder', (root: string) => mkdirSync(join(root, '.mcp.json'))],
    ['it is a pipe', (root: string) => execFileSync('mkfifo', [join(root, '.mcp.json')])],
    ['it is too long', (root: string) => writeFileSync(join(root, '.mcp.json'), 'x'.repeat(MAX + 1))],
    ['it is not text', (root: string) => writeFileSync(join(root, '.mcp.json'), Buffer.from([0xff, 0xfe, 0x80]))],
  ])('T3, X5: nothing is read when %s', async (_why, make) => {
    const { root, outside } = setUp();
    make(root, outside);
    expect(await readInside(root, '.mcp.json', MAX)).toMatchObject({ ok: false });
  });

  test('T3, X5: nothing is read when a folder on the way is a link out of the root', async () => {
    const { root, outside } = setUp();
    rmSync(join(root, '.vscode'), { recursive: true });
    symlinkSync(outside, join(root, '.vscode'));
    const read = await readInside(root, '.vscode/mcp.json', MAX);
    expect(read).toEqual({ ok: false, problem: 'It is a link, or lies behind one, so it was not read.' });
  });

  test('T3: as long as the bound is read whole', async () => {
    const { root } = setUp();
    writeFileSync(join(root, '.mcp.json'), 'x'.repeat(MAX));
    expect(await readInside(root, '.mcp.json', MAX)).toMatchObject({ ok: true, value: { text: 'x'.repeat(MAX) } });
  });

  test('S4: a root that is not there says nothing of its files', async () => {
    const { root } = setUp();
    rmSync(root, { recursive: true });
    expect(await readInside(root, '.mcp.json', MAX)).toMatchObject({ ok: false });
  });

  test('T3: a second name of one file is that file', async () => {
    const { root, outside } = setUp();
    linkSync(join(outside, 'mcp.json'), join(root, '.mcp.json'));
    expect(await readInside(root, '.mcp.json', MAX)).toMatchObject({ ok: true });
  });
});

describe('checkWorkspaceFolder', () => {
  function places() {
    const top = tempFolder();
    const paths = {
      home: join(top, 'home'),
      ownFolder: join(top, 'home/.config/Portcullis'),
      project: join(top, 'home/project'),
    };
    for (const path of Object.values(paths)) mkdirSync(path, { recursive: true });
    mkdirSync(join(paths.ownFolder, 'conversations'));
    symlinkSync(paths.home, join(top, 'link-home'));
    symlinkSync(paths.project, join(top, 'link-project'));
    writeFileSync(join(top, 'a-file'), '');
    return { top, ...paths };
  }

  test('G8: a folder of a project is opened under its real path', async () => {
    const { top, project, ...rest } = places();
    expect(await checkWorkspaceFolder(project, rest)).toEqual({ ok: true, value: project });
    expect(await checkWorkspaceFolder(join(top, 'link-project'), rest)).toEqual({ ok: true, value: project });
  });

  test.each([
    'home',
    '/',
    '',
    'link-home',
    'home/.config',
    'home/.config/Portcullis',
    'home/.config/Portcullis/conversations',
    'a-file',
    'not-there',
  ])('G8: %j is not opened', async (name) => {
    const { top, home, ownFolder } = places();
    expect(await checkWorkspaceFolder(name === '/' ? '/' : join(top, name), { home, ownFolder })).toMatchObject({ ok: false });
  });
});
