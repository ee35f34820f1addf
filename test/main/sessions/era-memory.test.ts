import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failed, ok } from '../../../src-shared/base/result';
import { EraMemory, openErasFile, type Spoken } from '../../../src-main/sessions/era-memory';
import type { SessionProblem } from '../../../src-main/sessions/session-problem';
import { tempFolder } from '../../support/temp-folder';

const spoke = (spoken: Spoken) => ok({ spoken });
const failing = (kind: SessionProblem['kind']) => failed<SessionProblem>({ kind, message: '' });

describe('what a server spoke', () => {
  test('W1: is known again after the app was closed', () => {
    const folder = tempFolder();
    const first = new EraMemory(openErasFile(folder));
    first.learn('f1', spoke('legacy'));
    first.learn('f2', spoke('legacy-sse'));
    first.learn('f2', spoke('modern'));
    const next = new EraMemory(openErasFile(folder));
    expect([next.of('f1'), next.of('f2'), next.of('f3')]).toEqual(['legacy', 'modern', undefined]);
  });

  const wrong: SessionProblem['kind'][] = ['server-error', 'timed-out', 'exited', 'lost', 'too-large'];
  test.each(wrong)('W1: is forgotten for good when a start with it fails (%s)', (kind) => {
    const folder = tempFolder();
    const memory = new EraMemory(openErasFile(folder));
    memory.learn('f1', spoke('legacy'));
    memory.learn('f1', failing(kind));
    expect([memory.of('f1'), new EraMemory(openErasFile(folder)).of('f1')]).toEqual([undefined, undefined]);
  });

  const elsewhere: SessionProblem['kind'][] = ['refused', 'cancelled', 'unreachable', 'needs-sign-in'];
  test.each(elsewhere)('W1: is kept when a start failed for another reason (%s)', (kind) => {
    const memory = new EraMemory();
    memory.learn('f1', spoke('legacy'));
    memory.learn('f1', failing(kind));
    expect(memory.of('f1')).toBe('legacy');
  });

  test('S4: a file that cannot be read is left as it is, and nothing is known from it', () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'eras.json'), '{ "version": 1, "eras": [{ "launch": "f1", "spoke": "everything" }] }');
    const before = readFileSync(join(folder, 'eras.json'), 'utf8');
    const memory = new EraMemory(openErasFile(folder));
    expect(memory.of('f1')).toBeUndefined();
    memory.learn('f1', spoke('legacy'));
    expect(memory.of('f1')).toBe('legacy');
    expect(readFileSync(join(folder, 'eras.json'), 'utf8')).toBe(before);
  });

  test('W1: of five hundred and one, the oldest is forgotten', () => {
    const folder = tempFolder();
    const many = Array.from({ length: 500 }, (_, nth) => ({ launch: `f${nth}`, spoke: 'legacy' }));
    writeFileSync(join(folder, 'eras.json'), JSON.stringify({ version: 1, eras: many }));
    new EraMemory(openErasFile(folder)).learn('new', spoke('modern'));
    const next = new EraMemory(openErasFile(folder));
    expect([next.of('f0'), next.of('f1'), next.of('new')]).toEqual([undefined, 'legacy', 'modern']);
  });
});
