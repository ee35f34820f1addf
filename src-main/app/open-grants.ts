import type { GrantRow, GrantsView } from '../../src-shared/approvals/grant.schema';
import type { Clock } from '../../src-shared/base/clock';
import { toVisibleText } from '../../src-shared/base/visible-text';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { ChatGrants } from '../approvals/chat-grants';
import { grantCalls, type GrantCallParts } from '../approvals/grant-calls';
import { type BoundNow, endOf, GrantStore, type LastingFacts } from '../approvals/grant-store';
import { EMPTY_USES, GrantUses, openUsesFile } from '../approvals/grant-uses';
import { Grants } from '../approvals/grants';
import type { LaunchStates } from '../sessions/launch-states';
import { memoryDocument } from '../storage/memory-document';
import type { ToolCatalog } from '../tools/tool-catalog';
import type { Stores } from './open-stores';
import type { ServerProjection } from './server-projection';

const SHOWN_DIGEST_DIGITS = 12;

export interface GrantRoomParts {
  folder: string;
  clock: Clock;
  stores: Pick<Stores, 'secrets' | 'trust' | 'conversations'>;
  launches: Pick<LaunchStates, 'of'>;
  projection(): Pick<ServerProjection, 'configOf' | 'faceOf' | 'launchInWords'>;
  catalog(): Pick<ToolCatalog, 'listed' | 'findPicked'>;
  noActProblem(): string | null;
  /** The list of grants is another one. */
  changed(): void;
}

export interface GrantRoom {
  grants: Grants;
  calls: ReturnType<typeof grantCalls>;
  /** Ends what is bound to a launch or a definition that is another one now. */
  endChanged(): void;
  view(): GrantsView;
  close(): void;
}

/** Opens what was allowed, of this run and of earlier ones. */
export function openGrants(parts: GrantRoomParts): GrantRoom {
  const { folder, clock, stores, launches, changed } = parts;
  const document = stores.secrets.state === 'ready' ? openUsesFile(folder) : memoryDocument(EMPTY_USES);
  const uses = new GrantUses({ document, clock, changed });
  const lasting = new GrantStore({
    records: stores.trust.records,
    ...{ uses, clock },
    launchInWords: (id) => parts.projection().launchInWords(id),
  });
  const grants = new Grants(new ChatGrants({ clock, changed }), lasting);

  // A launch that is not approved runs nothing, so only one that is can end what was bound to another.
  const boundNow = (id: ServerId, rawName: string): BoundNow => {
    const { trust, fingerprint } = launches.of(id);
    return {
      fingerprint: trust === 'approved' ? fingerprint : null,
      definition: parts.catalog().listed(id, rawName)?.digest ?? null,
    };
  };

  const shown = (facts: LastingFacts): Pick<GrantRow, SharedColumn> => {
    const { serverId, rawName, caller, definition } = facts;
    const config = parts.projection().configOf(serverId);
    return {
      ...{ serverId, rawName, caller },
      serverName: config?.name ?? 'a server that was removed',
      leaves: parts.projection().faceOf(serverId)?.leaves ?? false,
      toolName: toVisibleText(rawName),
      definition: definition.slice(0, SHOWN_DIGEST_DIGITS),
      ended: config ? endOf(facts, boundNow(serverId, rawName)) : 'server-gone',
    };
  };

  const offeredTool: GrantCallParts['offeredTool'] = (id, rawName) => {
    const tool = parts.catalog().findPicked(id, rawName);
    const face = parts.projection().faceOf(id);
    return tool && face && { digest: tool.digest, claims: tool.definition.claims, fingerprint: face.fingerprint };
  };

  return {
    grants,
    calls: grantCalls({ grants, offeredTool, noActProblem: parts.noActProblem }),
    endChanged: () => lasting.endChanged(boundNow),
    view() {
      const titles = new Map(stores.conversations.list().map(({ id, title }) => [id, title]));
      const always = lasting.list().map((grant): GrantRow => {
        const columns = shown(grant);
        return {
          ...columns,
          ended: grant.ended ?? columns.ended,
          id: grant.id,
          reach: { kind: 'always' },
          boundTo: toVisibleText(grant.boundTo),
          madeAt: grant.madeAt,
          lastUsedAt: grant.use?.lastAt ?? null,
          uses: grant.use?.count ?? 0,
        };
      });
      const ofChats = grants.ofChats.list().map((grant): GrantRow => ({
        ...shown(grant),
        id: grant.id,
        reach: { kind: 'this-chat', conversationId: grant.conversationId, title: titles.get(grant.conversationId) ?? '' },
        boundTo: toVisibleText(parts.projection().launchInWords(grant.serverId)),
        madeAt: grant.madeAt,
        lastUsedAt: grant.lastUsedAt,
        uses: grant.uses,
      }));
      return { rows: [...always, ...ofChats], unsealed: lasting.unsealed() };
    },
    close: () => uses.save(),
  };
}

type SharedColumn = 'serverId' | 'serverName' | 'leaves' | 'rawName' | 'toolName' | 'caller' | 'definition' | 'ended';
