import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { openJsonDocument } from '../../../src-main/storage/json-document';
import { LiveDocument } from '../../../src-main/storage/live-document';
import { FakeClock } from '../../support/fake-clock';
import { tempFolder } from '../../support/temp-folder';

function setUp(text?: string) {
  const file = join(tempFolder(), 'list.json');
  if (text !== undefined) writeFileSync(file, text);
  const clock = new FakeClock();
  const document = openJsonDocument({ file, schema: z.object({ names: z.array(z.string()) }), empty: { names: [] } });
  const live = new LiveDocument({ document, empty: { names: [] }, clock });
  const heard: (readonly string[])[] = [];
  live.onChange(() => heard.push(live.problem === null ? live.current.names : ['problem']));
  return { live, file, clock, heard };
}

test('S4: a file that is not there is empty and no problem', () => {
  const { live } = setUp();
  expect([live.current, live.problem]).toEqual([{ names: [] }, null]);
});

test('S4: unreadable at start is empty, with a sentence', () => {
  const { live } = setUp('{');
  expect(live.current).toEqual({ names: [] });
  expect(live.problem).toMatch(/list\.json could not be read/);
});

test('S4: its own changes count at once and are told once', () => {
  const { live, heard } = setUp();
  expect(live.update(() => ({ names: ['a'] }))).toEqual({ ok: true, value: { names: ['a'] } });
  live.update((current) => current);
  expect([live.current, heard]).toEqual([{ names: ['a'] }, [['a']]]);
});

test('S7: a change from outside is followed', async () => {
  const { live, file, heard } = setUp('{"names":[]}');
  writeFileSync(file, '{"names":["b"]}');
  await vi.waitFor(() => expect(heard).toEqual([['b']]), 5000);
  expect(live.current).toEqual({ names: ['b'] });
  live.close();
});

test('S4: while running, an unreadable file leaves in force what was read, after three tries in two seconds', async () => {
  const { live, file, clock, heard } = setUp('{"names":["a"]}');
  writeFileSync(file, '{');
  await vi.waitFor(() => expect(clock.waiting).toBe(1), 5000);
  await clock.advanceSettling(1900);
  expect(live.problem).toBeNull();
  await clock.advanceSettling(200);
  expect(live.current).toEqual({ names: ['a'] });
  expect(live.problem).toMatch(/could not be read/);
  expect(heard).toEqual([['problem']]);

  writeFileSync(file, '{"names":["a"]}');
  await vi.waitFor(() => expect(live.problem).toBeNull(), 5000);
  expect(heard).toEqual([['problem'], ['a']]);
  rmSync(file);
  live.close();
});
