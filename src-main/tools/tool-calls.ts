import { randomUUID } from 'node:crypto';
import { failed, ok } from '../../src-shared/base/result';
import { toVisibleText, visibleToString } from '../../src-shared/base/visible-text';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import { boundSchemaTexts } from '../../src-shared/tools/description-rule';
import type { Digest } from '../../src-shared/base/digest.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { ApprovedTool, ToolCatalog } from './tool-catalog';
import type { ToolPipeline } from './tool-pipeline';

const GONE = { code: 'not-found', message: 'That tool is not listed by its server any more. Look at its page in Settings, MCP servers.' } as const;

export interface ToolCallParts {
  catalog: Pick<ToolCatalog, 'listed' | 'findPicked'>;
  pipeline: Pick<ToolPipeline, 'call'>;
  /** Seals a choice about one tool (S10). */
  saveChoice(id: ServerId, rawName: string, choice: ApprovedTool): void;
}

type Handled = 'tools.setOffered' | 'tools.describe' | 'tools.run' | 'tools.cancel';

/** Calls of the tool runner and of the server page's switches. */
export function toolCalls({ catalog, pipeline, saveChoice }: ToolCallParts): Pick<CallHandlers, Handled> & { stopChat(id: ConversationId): void } {
  const running = new Map<string, { conversationId: ConversationId; abort: AbortController }>();

  return {
    'tools.setOffered': async ({ serverId, rawName, offered, digest }) => {
      const listed = catalog.listed(serverId, rawName);
      if (!listed) return failed(GONE);
      if (isAnotherDefinition(listed.digest, digest)) {
        return failed({ code: 'refused', message: `${rawName} changed while it was on the screen. Look at it again.` });
      }
      saveChoice(serverId, rawName, { ...listed, offered });
      return ok({});
    },

    'tools.describe': async ({ serverId, rawName }) => {
      const listed = catalog.listed(serverId, rawName);
      if (!listed) return failed(GONE);
      const { definition } = listed;
      const definitionText = visibleToString(toVisibleText(JSON.stringify(definition, null, 2)));
      return ok({ inputSchema: boundSchemaTexts(definition.inputSchema), definitionText });
    },

    'tools.run': async ({ conversationId, serverId, rawName, argumentsText }) => {
      if (!catalog.findPicked(serverId, rawName)) {
        return failed({ code: 'refused', message: `${rawName} is not on. Turn it on in Settings, MCP servers.` });
      }
      const callId = `by-hand-${randomUUID()}`;
      const abort = new AbortController();
      running.set(callId, { conversationId, abort });
      void pipeline
        .call({ conversationId, caller: 'you', callId, target: { kind: 'picked', serverId, rawName }, argumentsText, signal: abort.signal })
        .finally(() => running.delete(callId));
      return ok({ callId });
    },

    'tools.cancel': async ({ callId }) => {
      running.get(callId)?.abort.abort();
      return ok({});
    },

    stopChat(id) {
      for (const { conversationId, abort } of running.values()) if (conversationId === id) abort.abort();
    },
  };
}

const isAnotherDefinition = (listed: Digest, shown: Digest): boolean => listed !== shown;
