import { expect, test } from 'vitest';
import { groupRunnable, stepTo, toolKey } from '../../../src-renderer/tools/runnable-tools';
import type { ServerRow } from '../../../src-shared/servers/server.schema';
import type { ToolState } from '../../../src-shared/tools/tool.schema';
import { sampleIds, serverRow, toolRow } from '../sample-views';

const on: ServerRow['status'] = { kind: 'on', connected: false };
const files = serverRow({ id: sampleIds.files, name: 'files', status: on });
const notes = serverRow({ id: sampleIds.notes, name: 'notes', status: on });
const tool = (name: string, state: ToolState = 'on', id = sampleIds.files) => toolRow(id, name, `Does ${name}`, { state });

const names = (servers: ServerRow[], tools: ReturnType<typeof tool>[], wanted = '') =>
  groupRunnable(servers, tools, wanted).map((group) => [group.server.name, ...group.tools.map((row) => row.rawName)]);

test('tools stand under their server, in the order of the servers', () => {
  expect(names([files, notes], [tool('find', 'on', sampleIds.notes), tool('read'), tool('write')])).toEqual([
    ['files', 'read', 'write'],
    ['notes', 'find'],
  ]);
});

test.each(['off', 'new', 'changed', 'refused', 'skipped'] as const)('R1: a tool that is %s cannot be run', (state) => {
  expect(names([files], [tool('read', state)])).toEqual([]);
});

const notOn: ServerRow['status'][] = [
  { kind: 'off' },
  { kind: 'looking', phase: 'ready' },
  { kind: 'failed', problem: 'It stopped.', log: [] },
];
test.each(notOn)('R1: tools of a server that is $kind cannot be run', (status) => {
  expect(names([{ ...files, status }], [tool('read')])).toEqual([]);
});

test('words narrow by server, name and description, and all of them must fit', () => {
  const tools = [tool('read'), tool('write'), tool('read_note', 'on', sampleIds.notes)];
  expect(names([files, notes], tools, 'READ')).toEqual([
    ['files', 'read'],
    ['notes', 'read_note'],
  ]);
  expect(names([files, notes], tools, 'notes read')).toEqual([['notes', 'read_note']]);
  expect(names([files, notes], tools, 'does write')).toEqual([['files', 'write']]);
});

const [first, second, third] = ['a', 'b', 'c'].map((name) => toolKey(tool(name)));
const steps: [from: string | null | undefined, key: string, to: string | undefined][] = [
  [null, 'ArrowDown', first],
  [null, 'ArrowUp', first],
  [first, 'ArrowDown', second],
  [third, 'ArrowDown', third],
  [first, 'ArrowUp', first],
  [second, 'End', third],
  [third, 'Home', first],
  [second, 'x', second],
];
test.each(steps)('from %s, %s leads to %s', (from, key, to) => {
  expect(
    stepTo(
      ['a', 'b', 'c'].map((name) => tool(name)),
      from ?? null,
      key,
    ),
  ).toBe(to);
});

test('with nothing to step through, nothing is reached', () => {
  expect(stepTo([], null, 'ArrowDown')).toBeNull();
});
