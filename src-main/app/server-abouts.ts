import { toVisibleText, visibleToString } from '../../src-shared/base/visible-text';
import { NameMarks, type NameMark } from '../../src-shared/servers/name-marks';
import type { ServerAbout } from '../../src-shared/servers/server-about.schema';
import { idOfStored, type StoredServer } from '../../src-shared/servers/server-rows';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { costOf } from '../../src-shared/tools/token-cost';
import type { ToolRow } from '../../src-shared/tools/tool.schema';
import type { ServerTools } from '../tools/server-tools';
import type { ToolCatalog } from '../tools/tool-catalog';
import type { ToolReview } from '../tools/tool-review';

export interface AboutParts {
  stored(): readonly StoredServer[];
  instructionsOf: ToolReview['instructionsOf'];
  claimsOf: ToolCatalog['claimsOf'];
  lastContactOf: ServerTools['lastContactOf'];
}

/** What is said of a server and its tools beside where they stand: what waits for a look, what it costs, whose name it looks like. */
export class ServerAbouts {
  #marks: { from: string; marks: NameMarks } | undefined;

  constructor(private readonly parts: AboutParts) {}

  of(id: ServerId, own: readonly ToolRow[]): ServerAbout {
    const count = (state: ToolRow['state']): number => own.filter((tool) => tool.state === state).length;
    const cost = costOf(own.filter(({ state }) => state === 'on'));
    const claims = this.parts.claimsOf(id);
    const lastContactAt = this.parts.lastContactOf(id) ?? claims?.at ?? null;
    return {
      review: { changed: count('changed'), added: count('new'), gone: count('gone') },
      instructions: this.parts.instructionsOf(id),
      looksLike: this.#current().ofServer(id),
      ...(cost.complete && { tokens: cost.tokens }),
      ...{ claims, lastContactAt },
    };
  }

  ofServer(id: ServerId): NameMark[] {
    return this.#current().ofServer(id);
  }

  ofTool(id: ServerId, rawName: string): string | null {
    return this.#current().ofTool(id, rawName);
  }

  /** For a sheet about a tool: of its server's name, and of its own (N7). */
  ofCall(id: ServerId, rawName: string): NameMark[] {
    const words = this.ofTool(id, rawName);
    return [...this.ofServer(id), ...(words === null ? [] : [{ name: visibleToString(toVisibleText(rawName)), words }])];
  }

  #current(): NameMarks {
    const servers = this.parts
      .stored()
      .map((stored) =>
        stored.kind === 'ok'
          ? { id: stored.config.id, name: stored.config.name, namespace: stored.config.namespace }
          : { id: idOfStored(stored), name: stored.name, namespace: null },
      );
    const from = JSON.stringify(servers);
    if (this.#marks?.from !== from) this.#marks = { from, marks: new NameMarks(servers) };
    return this.#marks.marks;
  }
}
