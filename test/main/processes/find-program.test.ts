import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findProgram } from '../../../src-main/processes/find-program';
import { tempFolder } from '../../support/temp-folder';

function setUp() {
  const root = tempFolder();
  const program = (path: string, mode = 0o755) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), `#!/bin/sh\necho ${path}\n`);
    chmodSync(join(root, path), mode);
    return join(root, path);
  };
  mkdirSync(join(root, 'work'));
  const find = (command: string, path: string, cwd = join(root, 'work')) =>
    findProgram(command, { path, cwd, home: join(root, 'home') });
  return { root, program, find };
}

describe('finding', () => {
  test('W7: the first program of that name on the given PATH is taken, and no other PATH plays a part', async () => {
    const { root, program, find } = setUp();
    program('one/plain.txt');
    const second = program('two/tool');
    program('three/tool');
    const found = await find('tool', [join(root, 'one'), join(root, 'two'), join(root, 'three')].join(':'));
    expect(found).toMatchObject({ ok: true, value: { realPath: second, foundAs: 'path' } });
    expect((await find('sh', join(root, 'one'))).ok).toBe(false);
  });

  test('T1: links are resolved, and the name it was found under is kept', async () => {
    const { root, program, find } = setUp();
    const real = program('lib/cli.js');
    mkdirSync(join(root, 'bin'));
    symlinkSync(real, join(root, 'bin/tool'));
    expect(await find('tool', join(root, 'bin'))).toMatchObject({
      ok: true,
      value: { realPath: real, foundPath: join(root, 'bin/tool'), digest: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
  });

  test('a program that cannot run and a folder of that name are passed over', async () => {
    const { root, program, find } = setUp();
    program('one/tool', 0o644);
    mkdirSync(join(root, 'two/tool'), { recursive: true });
    const third = program('three/tool');
    const path = ['one', 'two', 'three'].map((folder) => join(root, folder)).join(':');
    expect(await find('tool', path)).toMatchObject({ ok: true, value: { realPath: third } });
  });

  test('relative and empty PATH entries mean the working folder, as exec reads them', async () => {
    const { program, find } = setUp();
    const here = program('work/tool');
    const below = program('work/bin/other');
    expect(await find('tool', '')).toMatchObject({ ok: false });
    expect(await find('tool', '/nowhere:')).toMatchObject({ ok: true, value: { realPath: here } });
    expect(await find('other', 'bin')).toMatchObject({ ok: true, value: { realPath: below } });
  });

  test('absolute, relative and home paths are taken as they stand', async () => {
    const { program, find } = setUp();
    const tool = program('work/tool');
    const own = program('home/bin/own');
    expect(await find(tool, '')).toMatchObject({ ok: true, value: { realPath: tool, foundAs: 'absolute' } });
    expect(await find('./tool', '')).toMatchObject({ ok: true, value: { realPath: tool, foundAs: 'relative' } });
    expect(await find('~/bin/own', '')).toMatchObject({ ok: true, value: { realPath: own, foundAs: 'absolute' } });
  });
});

describe('not finding', () => {
  test('W7, B10: the command and every folder searched are named', async () => {
    const { find } = setUp();
    expect(await find('npx-not-installed', '/usr/bin:/bin')).toEqual({
      ok: false,
      problem: {
        message: 'No program named npx-not-installed was found. Looked in /usr/bin, /bin. Enter the full path of the program.',
        searched: ['/usr/bin', '/bin'],
      },
    });
  });

  test('B10: the program on another PATH is not found', async () => {
    const { program, find } = setUp();
    program('home/.nvm/versions/node/v20.0.0/bin/npx');
    expect((await find('npx', '/usr/share:/etc')).ok).toBe(false);
  });

  const refused: [command: string, cwd: string | undefined, says: RegExp][] = [
    ['', undefined, /^The command is empty/],
    ['  ', undefined, /^The command is empty/],
    ['a\0b', undefined, /no program name can have/],
    ['./missing', undefined, /work\/missing does not exist/],
    ['./B01.mjs', undefined, /work\/B01\.mjs is not marked as a program/],
    ['./folder', undefined, /work\/folder is a folder/],
    ['./B01.mjs/x', undefined, /does not exist/],
    ['sh', '/does/not/exist', /^The working folder \/does\/not\/exist does not exist/],
  ];
  test.each(refused)('B10: %j in %s is refused with a reason', async (command, cwd, says) => {
    const { root, program, find } = setUp();
    program('work/B01.mjs', 0o644);
    mkdirSync(join(root, 'work/folder'));
    const found = await find(command, '/usr/bin:/bin', cwd);
    expect(found.ok ? 'found' : found.problem.message).toMatch(says);
  });

  test('a program of that name that cannot run is mentioned', async () => {
    const { root, program, find } = setUp();
    const tool = program('one/tool', 0o644);
    const found = await find('tool', join(root, 'one'));
    expect(found.ok ? '' : found.problem.message).toContain(`${tool} is not marked as a program`);
  });

  test('a link that leads nowhere does not exist', async () => {
    const { root, find } = setUp();
    symlinkSync('/does/not/exist', join(root, 'work/tool'));
    const found = await find('./tool', '');
    expect(found.ok ? '' : found.problem.message).toMatch(/work\/tool does not exist/);
  });
});
