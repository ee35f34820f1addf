import { randomUUID } from 'node:crypto';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { toVisibleText, visibleToString } from '../../src-shared/base/visible-text';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { CallHandlers, CallProblem } from '../../src-shared/ipc/contract';
import { boundSchemaTexts } from '../../src-shared/tools/description-rule';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { ToolCatalog } from './tool-catalog';
import type { ToolPipeline } from './tool-pipeline';
import type { ToolReview } from './tool-review';

const GONE = {
  code: 'not-found',
  message: 'That tool is not listed by its server any more. Look at its page in Settings, MCP servers.',
} as const;

const refused = (message: string): Result<never, CallProblem> => failed({ code: 'refused', message });

export interface ToolCallParts {
  catalog: Pick<ToolCatalog, 'listed' | 'findPicked'>;
  pipeline: Pick<ToolPipeline, 'call'>;
  tools: Pick<ToolReview, 'pin' | 'choose' | 'diffOf'>;
  /** Says why a server cannot be turned on now, or turns it on. */
  turnOn(id: ServerId): string | null;
  /** True while the server is being looked at, or is on already. */
  isReviewed(id: ServerId): boolean;
  /** Ends one call of a model's turn. */
  cancelCall(callId: string): void;
  /** Why an act that opens something is refused; null when a person is behind it (A9). */
  noActProblem(): string | null;
}

type Handled = 'servers.turnOn' | 'tools.setOffered' | 'tools.describe' | 'tools.run' | 'tools.cancel';

export interface ToolDesk {
  calls: Pick<CallHandlers, Handled>;
  stopChat(id: ConversationId): void;
  isBusy(id: ConversationId): boolean;
}

/** Calls of the tool runner and of the server page's switches. */
export function toolCalls({ catalog, pipeline, tools, turnOn, isReviewed, cancelCall, noActProblem }: ToolCallParts): ToolDesk {
  const running = new Map<string, { conversationId: ConversationId; abort: AbortController }>();

  const calls: ToolDesk['calls'] = {
    'servers.turnOn': async ({ id, tools: ticked, instructions }) => {
      if (!isReviewed(id)) return refused('Look at this server’s tools first: choose Review on its page.');
      const noAct = noActProblem();
      if (noAct !== null) return refused(noAct);
      const pinned = tools.pin(id, ticked, instructions);
      const problem = pinned.ok ? turnOn(id) : pinned.problem;
      return problem === null ? ok({}) : refused(problem);
    },

    'tools.setOffered': async ({ serverId, rawName, offered, digest }) => {
      const noAct = offered ? noActProblem() : null;
      if (noAct !== null) return refused(noAct);
      const chosen = tools.choose(serverId, rawName, digest, offered);
      return chosen.ok ? ok({}) : refused(chosen.problem);
    },

    'tools.describe': async ({ serverId, rawName }) => {
      const listed = catalog.listed(serverId, rawName);
      if (!listed) return failed(GONE);
      const { definition } = listed;
      const definitionText = visibleToString(toVisibleText(JSON.stringify(definition, null, 2)));
      return ok({ inputSchema: boundSchemaTexts(definition.inputSchema), definitionText, diff: tools.diffOf(serverId, rawName) });
    },

    'tools.run': async ({ conversationId, serverId, rawName, argumentsText }) => {
      if (!catalog.findPicked(serverId, rawName)) {
        return refused(`${rawName} is not on. Turn it on in Settings, MCP servers.`);
      }
      const callId = `by-hand-${randomUUID()}`;
      const abort = new AbortController();
      running.set(callId, { conversationId, abort });
      void pipeline
        .call({
          conversationId,
          caller: 'you',
          callId,
          target: { kind: 'picked', serverId, rawName },
          argumentsText,
          signal: abort.signal,
        })
        .finally(() => running.delete(callId));
      return ok({ callId });
    },

    'tools.cancel': async ({ callId }) => {
      running.get(callId)?.abort.abort();
      cancelCall(callId);
      return ok({});
    },
  };

  return {
    calls,
    stopChat(id) {
      for (const { conversationId, abort } of running.values()) if (conversationId === id) abort.abort();
    },
    isBusy: (id) => [...running.values()].some(({ conversationId }) => conversationId === id),
  };
}
