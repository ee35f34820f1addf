import type { ShownSource } from '../../src-shared/approvals/approval.schema';
import { newSources, type FlowSource } from '../../src-shared/approvals/flow-rule';
import { overlapFinder, type Overlap } from '../../src-shared/approvals/text-overlap';
import { toVisibleText } from '../../src-shared/base/visible-text';
import type { GrantFacts } from '../approvals/chat-grants';

/** How a sheet tells of others' text: by whom, and where it stands in the arguments (A6). */
export function flowView(
  tool: GrantFacts,
  inChat: readonly FlowSource[],
  fresh: readonly FlowSource[],
): { sources: ShownSource[]; overlaps(text: string): Overlap[] } {
  const groups = new Map<string, { shown: ShownSource; texts: string[] }>();
  const isFresh = new Set(fresh.map(({ id }) => id));
  for (const { id, kind, serverName, name, tool: from, texts } of newSources(inChat, tool, () => false)) {
    const key = JSON.stringify([kind, from?.serverId ?? serverName, name]);
    const group = groups.get(key) ?? { shown: { kind, serverName, name: toVisibleText(name), fresh: 0 }, texts: [] };
    if (isFresh.has(id)) group.shown.fresh += 1;
    group.texts.push(...texts);
    groups.set(key, group);
  }
  const all = [...groups.values()];
  return { sources: all.map(({ shown }) => shown), overlaps: overlapFinder(all.map(({ texts }) => texts)) };
}
