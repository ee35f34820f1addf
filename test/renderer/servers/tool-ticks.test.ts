import { expect, test } from 'vitest';
import {
  decidedTools,
  isTicked,
  NO_TICKS,
  tickedTools,
  toolRemark,
  whyNotTicked,
  withAllTicks,
  withTick,
} from '../../../src-renderer/servers/tool-ticks';
import type { ToolRow } from '../../../src-shared/tools/tool.schema';
import { sampleIds, tools } from '../sample-views';

const [sample] = tools;
const digestOf = (letter: string) => letter.repeat(64) as NonNullable<ToolRow['digest']>;
const tool = (change: Partial<ToolRow>): ToolRow => ({
  ...(sample as ToolRow),
  serverId: sampleIds.calendar,
  rawName: 'list_events',
  state: 'new',
  digest: digestOf('a'),
  ...change,
});

test('R4: no claim and no state ticks a box by itself', () => {
  const all = [tool({}), tool({ rawName: 'b', claims: { readOnly: true } }), tool({ rawName: 'c', state: 'on' })];
  expect(tickedTools(NO_TICKS, all)).toEqual([]);
});

test('R4: turning on pins the digest that was ticked', () => {
  const ticks = withTick(NO_TICKS, tool({}), true);
  expect(tickedTools(ticks, [tool({}), tool({ rawName: 'other' })])).toEqual([{ rawName: 'list_events', digest: digestOf('a') }]);
});

test('R4: a tick is gone when the definition changes under it, and when it is taken back', () => {
  const ticks = withTick(NO_TICKS, tool({}), true);
  expect(tickedTools(ticks, [tool({ digest: digestOf('b') })])).toEqual([]);
  expect(isTicked(withTick(ticks, tool({}), false), tool({}))).toBe(false);
});

const untickable: [change: Partial<ToolRow>, why: string][] = [
  [{ digest: null, why: 'It has no name.' }, 'It has no name.'],
  [{ digest: null, why: '' }, 'Its definition could not be read.'],
  [{ state: 'refused', why: 'Two tools have this name.' }, 'Two tools have this name.'],
  [{ state: 'skipped', why: 'Over the limit of 100 tools.' }, 'Over the limit of 100 tools.'],
];
test.each(untickable)('N3, R3: %j cannot be ticked, by “All” neither, and says why', (change, why) => {
  const broken = tool(change);
  expect(whyNotTicked(broken)).toBe(why);
  expect(tickedTools(withAllTicks([broken, tool({ rawName: 'b' })]), [broken, tool({ rawName: 'b' })])).toEqual([
    { rawName: 'b', digest: digestOf('a') },
  ]);
});

const remarks: [change: Partial<ToolRow>, remark: string | null][] = [
  [{ state: 'on', why: '' }, null],
  [{ state: 'on', why: 'Not told to models.' }, 'Not told to models.'],
  [{ state: 'new', why: 'You have not reviewed this tool yet.' }, 'You have not reviewed this tool yet.'],
  [{ state: 'off', why: 'You switched this tool off.' }, null],
  [{ state: 'refused', why: 'Two tools have this name.' }, 'Two tools have this name.'],
];
test.each(remarks)('R3: of %j its row says what the switch does not', (change, remark) => {
  expect(toolRemark(tool(change))).toBe(remark);
});

test('R4: what was ticked is offered and the rest of what was on the screen stays off, each by its digest', () => {
  const [one, other] = [tool({}), tool({ rawName: 'other', digest: digestOf('b') })];
  const ticks = withTick(NO_TICKS, one, true);
  expect(decidedTools(ticks, [one, other, tool({ digest: null })])).toEqual([
    { rawName: 'list_events', digest: digestOf('a'), offered: true },
    { rawName: 'other', digest: digestOf('b'), offered: false },
  ]);
  expect(decidedTools(ticks, [tool({ digest: digestOf('c') })])).toEqual([
    { rawName: 'list_events', digest: digestOf('c'), offered: false },
  ]);
});
