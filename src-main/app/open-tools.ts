import { routeIdForServer } from '../../src-shared/egress/route-table';
import type { Clock } from '../../src-shared/base/clock';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { attributedInstructions } from '../../src-shared/tools/instructions-rule';
import { streamChat } from '../agent/openai-chat';
import { readyModel } from '../agent/ready-model';
import { TurnRunner } from '../agent/turn-runner';
import type { ApprovalBroker } from '../approvals/approval-broker';
import type { Autopilot } from '../approvals/autopilot';
import type { FlowGate } from '../approvals/flow-gate';
import type { Grants } from '../approvals/grants';
import type { EgressDoor } from '../egress/egress-door';
import type { BrowserLinks } from '../egress/browser-links';
import { recordProgramCall } from '../egress/program-call';
import type { ViewPublisher } from '../ipc/publish-views';
import { ThreadSchemaChecker } from '../processes/schema-checker';
import { ThreadTokenCounter } from '../processes/token-counter';
import type { SessionPool } from '../sessions/session-pool';
import { progressTeller } from '../tools/call-progress';
import { ServerTools } from '../tools/server-tools';
import { openCatalogFile, ToolCatalog } from '../tools/tool-catalog';
import { TokenCosts } from '../tools/token-costs';
import { ToolPipeline } from '../tools/tool-pipeline';
import { ToolReview } from '../tools/tool-review';
import { openAttachments } from './open-attachments';
import type { openStores } from './open-stores';
import { SHOWN_LEDGER_ROWS } from './publish-house';
import { ServerAbouts } from './server-abouts';
import type { ServerProjection } from './server-projection';

export interface ToolRoomParts {
  links: Pick<BrowserLinks, 'open'>;
  folder: string;
  /** The built checking thread. */
  schemaScript: string;
  /** The built counting thread. */
  tokenScript: string;
  clock: Clock;
  publisher: ViewPublisher;
  stores: Awaited<ReturnType<typeof openStores>>;
  broker: ApprovalBroker;
  grants: Grants;
  /** What a grant is bound to is looked at whenever what is listed is another. */
  endGrants(): void;
  flow: FlowGate;
  autopilot: Autopilot;
  pool: SessionPool;
  door: EgressDoor;
  projection: ServerProjection;
}

export interface ToolRooms {
  catalog: ToolCatalog;
  serverTools: ServerTools;
  toolReview: ToolReview;
  abouts: ServerAbouts;
  attachables: ReturnType<typeof openAttachments>['attachables'];
  attachments: ReturnType<typeof openAttachments>['attachments'];
  pipeline: ToolPipeline;
  turns: TurnRunner;
}

/** What is known of tools, the one road to them, and who walks it. */
export function openTools(parts: ToolRoomParts): ToolRooms {
  const { folder, clock, publisher, stores, broker, grants, flow, autopilot, pool, door, projection } = parts;
  const { secrets, trust, models, conversations, ledger, mask } = stores;

  const tokenCounter = new ThreadTokenCounter(parts.tokenScript, clock);
  const tokenCosts = new TokenCosts({
    clock,
    count: (texts) => tokenCounter.count(texts),
    changed() {
      publisher.changed('tools');
      publisher.changed('servers');
    },
  });
  const catalog: ToolCatalog = new ToolCatalog({
    document: openCatalogFile(folder),
    servers: () => projection.planned(),
    approved: (id) => trust.choices(id).tools,
    changed() {
      parts.endGrants();
      publisher.changed('tools');
      publisher.changed('servers');
    },
    markOf: (id, rawName) => abouts.ofTool(id, rawName),
    tokensOf: (key, text) => tokenCosts.of(key, text),
  });
  const serverTools: ServerTools = new ServerTools({
    ...{ pool, catalog, mask },
    listed: (id, session) => void attachments.learn(id, session),
  });
  const toolReview = new ToolReview({ catalog, trust });
  const abouts = new ServerAbouts({
    stored: () => stores.servers.list(),
    instructionsOf: (id) => toolReview.instructionsOf(id),
    claimsOf: (id) => catalog.claimsOf(id),
    lastContactOf: (id) => serverTools.lastContactOf(id),
  });
  const programCall = (id: ServerId, conversation: ConversationId): ReturnType<typeof recordProgramCall> =>
    recordProgramCall(ledger, routeIdForServer(id), projection.faceOf(id)?.where ?? '', conversation);
  const { attachables, attachments } = openAttachments({
    ...{ folder, clock, stores, projection, publisher, recordProgramCall: programCall },
    useSession: (id, signal) => serverTools.useSession(id, signal),
  });
  const pipeline = new ToolPipeline({
    clock,
    schemaChecker: new ThreadSchemaChecker(parts.schemaScript, clock),
    catalog,
    broker,
    grants,
    flow,
    isMarkedReadsOnly: ({ serverId, rawName, digest }) => toolReview.isMarkedReadsOnly(serverId, rawName, digest),
    isAutopilotOn: (id) => autopilot.isOn(id),
    faceOf: (id) => projection.faceOf(id),
    marksOf: (id, rawName) => abouts.ofCall(id, rawName),
    useSession: (id, signal) => serverTools.useSession(id, signal),
    conversations,
    kept: conversations.keptOutput,
    mask,
    recordProgramCall: programCall,
    openBrowser: (address, conversation) => parts.links.open(address, conversation),
    progressOf: (id, callId) =>
      progressTeller({ clock, mask, feed: (value) => publisher.feed('conversation', value) }, id, callId),
  });
  const turns = new TurnRunner({
    clock,
    pipeline,
    conversations,
    readyModel: (id, conversation) => readyModel({ models, vault: secrets.vault, door }, id, conversation),
    streamChat,
    // Of servers that are on, and the reviewed text only (R4, R5).
    instructions: () =>
      projection.planned().flatMap(({ id, name, on }) => {
        const told = on ? toolReview.toldInstructions(id) : null;
        return told === null ? [] : [attributedInstructions(name, told)];
      }),
    ledgerSince: (at, conversation) =>
      ledger.rows(SHOWN_LEDGER_ROWS).filter((row) => row.at >= at && row.conversation === conversation),
    feed: (value) => publisher.feed('conversation', value),
    changed: () => publisher.changed('conversations'),
  });

  return { catalog, serverTools, toolReview, abouts, attachables, attachments, pipeline, turns };
}
