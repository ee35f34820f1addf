import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { programCalls } from '../../../src-main/processes/program-calls';
import { lookInShell, SHELL_LOOKUP_MS } from '../../../src-main/processes/shell-lookup';
import { failed, ok } from '../../../src-shared/base/result';
import { FakeClock } from '../../support/fake-clock';
import { tempFolder } from '../../support/temp-folder';

/** A home whose login file adds a folder to PATH, as version managers do, and prints a greeting. */
function setUp(profile = '') {
  const home = tempFolder();
  mkdirSync(join(home, 'tools'));
  for (const name of ['hidden-tool', 'plain-file']) writeFileSync(join(home, 'tools', name), '#!/bin/sh\n');
  chmodSync(join(home, 'tools/hidden-tool'), 0o755);
  writeFileSync(join(home, '.bash_profile'), `echo welcome\nPATH="$HOME/tools:$PATH"\n${profile}\n`);
  const clock = new FakeClock();
  const hostEnv = { HOME: home, PATH: '/usr/bin:/bin', SHELL: '/bin/bash', SECRET_KEY: 'canary' };
  const look = (command: string, env: Record<string, string> = hostEnv) => lookInShell(command, { hostEnv: env, home, clock });
  return { home, clock, look, hostEnv };
}

describe('lookInShell', () => {
  test('W7: finds what only the login files of the shell know of', async () => {
    const { home, look } = setUp();
    expect(await look('hidden-tool')).toEqual(ok(join(home, 'tools/hidden-tool')));
  });

  test('W7: what the shell does not know is said', async () => {
    const { look } = setUp();
    expect(await look('no-such-tool')).toEqual(failed(expect.stringMatching(/^\/bin\/bash knows no program named no-such-tool/)));
  });

  test('W7: an alias or a function is no program', async () => {
    const { look } = setUp('alias aliased=ls\nmade() { :; }');
    expect((await look('aliased')).ok).toBe(false);
    expect((await look('made')).ok).toBe(false);
  });

  test.each(['a; touch "$HOME/owned"', '$(touch owned)', '`id`', '-v', 'a b', '/bin/ls', '', 'a\nb', "a'b"])(
    'W7: %j is no name, and no shell is started for it',
    async (command) => {
      const { home, look } = setUp('touch "$HOME/ran"');
      expect((await look(command)).ok).toBe(false);
      expect([existsSync(join(home, 'ran')), existsSync(join(home, 'owned'))]).toEqual([false, false]);
    },
  );

  test('W7: without a login shell nothing is run', async () => {
    const { look } = setUp();
    expect(await look('ls', { PATH: '/bin' })).toEqual(failed(expect.stringMatching(/names no login shell/)));
    expect((await look('ls', { SHELL: 'bash' })).ok).toBe(false);
  });

  test('W7, S5: the shell gets what a login gives it and nothing else of this app', async () => {
    const { home, look } = setUp('env > "$HOME/env"');
    await look('hidden-tool');
    const { readFileSync } = await import('node:fs');
    expect(readFileSync(join(home, 'env'), 'utf8')).not.toContain('canary');
  });

  test('W7, W5: a shell that never answers is ended', async () => {
    const { home, clock, look } = setUp('touch "$HOME/ran"; sleep 600');
    const looking = look('hidden-tool');
    while (!existsSync(join(home, 'ran'))) await new Promise((resolve) => setTimeout(resolve, 20));
    // The shell can be quicker than the start of its watch.
    const ticking = setInterval(() => clock.advance(SHELL_LOOKUP_MS), 20);
    expect(await looking).toEqual(failed(expect.stringMatching(/did not answer in time/)));
    clearInterval(ticking);
  }, 20_000);
});

describe('programs.lookInShell', () => {
  test('W7, A9: looks once a person pressed for it, and at no other time', async () => {
    const looked: string[] = [];
    let problem: string | null = 'Press it yourself.';
    const calls = programCalls({
      lookInShell: async (command) => (looked.push(command), ok(`/tools/${command}`)),
      noActProblem: () => problem,
    });
    expect(await calls['programs.lookInShell']({ command: 'npx' })).toMatchObject({ ok: false });
    expect(looked).toEqual([]);
    problem = null;
    expect(await calls['programs.lookInShell']({ command: 'npx' })).toEqual(ok({ path: '/tools/npx' }));
  });

  test('W7: what was not found is told as it stands', async () => {
    const calls = programCalls({ lookInShell: async () => failed('Not there.'), noActProblem: () => null });
    expect(await calls['programs.lookInShell']({ command: 'x' })).toEqual(failed({ code: 'refused', message: 'Not there.' }));
  });
});
