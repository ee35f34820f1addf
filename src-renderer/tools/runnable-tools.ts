import type { ServerId, ServerRow } from '../../src-shared/servers/server.schema';
import type { ToolRow } from '../../src-shared/tools/tool.schema';
import { matchesWords } from '../app/day-groups';

export interface ToolGroup {
  server: ServerRow;
  tools: ToolRow[];
}

/** The tools that are on, under the server each belongs to, in the servers' order; `wanted` narrows by words. */
export function groupRunnable(servers: readonly ServerRow[], tools: readonly ToolRow[], wanted: string): ToolGroup[] {
  const bearing = new Map<ServerId, ToolRow[]>();
  for (const tool of tools) {
    if (tool.state !== 'on') continue;
    const of = bearing.get(tool.serverId);
    if (of) of.push(tool);
    else bearing.set(tool.serverId, [tool]);
  }
  return servers.flatMap((server) => {
    const found = (bearing.get(server.id) ?? []).filter((tool) =>
      matchesWords([server.name, tool.rawName, tool.title, tool.description].join(' '), wanted),
    );
    return server.status.kind === 'on' && found.length > 0 ? [{ server, tools: found }] : [];
  });
}

/** Names one tool in the window: a server's id and the tool's raw name, which stay when either is renamed (N6). */
export const toolKey = (tool: Pick<ToolRow, 'serverId' | 'rawName'>): string => `${tool.serverId} ${tool.rawName}`;

/** Which tool the arrow keys arrive at; the ends hold. */
export function stepTo(tools: readonly ToolRow[], from: string | null, key: string): string | null {
  const at = tools.findIndex((tool) => toolKey(tool) === from);
  const last = tools.length - 1;
  const to: { [key: string]: number } = {
    ArrowDown: Math.min(at + 1, last),
    ArrowUp: Math.max(at - 1, 0),
    Home: 0,
    End: last,
  };
  const tool = tools[to[key] ?? at];
  return tool ? toolKey(tool) : null;
}
