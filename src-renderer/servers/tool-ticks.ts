import type { CallInput } from '../../src-shared/ipc/contract';
import type { ToolRow } from '../../src-shared/tools/tool.schema';

type Ticked = CallInput<'servers.turnOn'>['tools'];
type Decided = CallInput<'tools.review'>['tools'];

/** What was ticked, with the digest that was on the screen then. */
type Ticks = ReadonlyMap<string, ToolRow['digest']>;

export const NO_TICKS: Ticks = new Map();

/** Why a tool cannot be ticked; null when it can. */
export function whyNotTicked(tool: ToolRow): string | null {
  if (tool.digest !== null && tool.state !== 'refused' && tool.state !== 'skipped') return null;
  return tool.why === '' ? 'Its definition could not be read.' : tool.why;
}

export const waitsForReview = ({ state }: Pick<ToolRow, 'state'>): boolean => state === 'new' || state === 'changed';

/** What stands under a tool with a switch. That it is off is said by the switch, and that models are not told of it is not (R3). */
export function toolRemark(tool: ToolRow): string | null {
  const notTicked = whyNotTicked(tool);
  if (notTicked !== null) return notTicked;
  return tool.why !== '' && tool.state !== 'off' ? tool.why : null;
}

/** A tick holds for the definition it was made on. When the server changes that, it is gone (R4). */
export const isTicked = (ticks: Ticks, tool: ToolRow): boolean =>
  whyNotTicked(tool) === null && ticks.get(tool.rawName) === tool.digest;

export function withTick(ticks: Ticks, tool: ToolRow, ticked: boolean): Ticks {
  const next = new Map(ticks);
  if (ticked && whyNotTicked(tool) === null) next.set(tool.rawName, tool.digest);
  else next.delete(tool.rawName);
  return next;
}

export const withAllTicks = (tools: readonly ToolRow[]): Ticks =>
  tools.reduce((ticks, tool) => withTick(ticks, tool, true), NO_TICKS);

/** One decision for each tool that was on the screen: the ticked ones are offered, the others stay off. */
export const decidedTools = (ticks: Ticks, tools: readonly ToolRow[]): Decided =>
  tools.flatMap((tool) =>
    tool.digest === null ? [] : [{ rawName: tool.rawName, digest: tool.digest, offered: isTicked(ticks, tool) }],
  );

/** What turning on pins: each ticked tool with its digest. */
export const tickedTools = (ticks: Ticks, tools: readonly ToolRow[]): Ticked =>
  tools.flatMap((tool) =>
    tool.digest !== null && isTicked(ticks, tool) ? [{ rawName: tool.rawName, digest: tool.digest }] : [],
  );
