import { join } from 'node:path';
import type { App } from 'electron';
import type { Clock } from '../../src-shared/base/clock';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import { chatCalls } from '../agent/chat-calls';
import type { TurnRunner } from '../agent/turn-runner';
import type { ApprovalBroker } from '../approvals/approval-broker';
import { approvalCalls } from '../approvals/approval-calls';
import type { Autopilot } from '../approvals/autopilot';
import { autopilotCalls } from '../approvals/autopilot-calls';
import { conversationCalls } from '../conversations/conversation-calls';
import { egressCalls } from '../egress/egress-calls';
import type { ViewPublisher } from '../ipc/publish-views';
import { modelCalls } from '../models/model-calls';
import type { SignIn } from '../oauth/sign-in';
import { signInCalls } from '../oauth/sign-in-calls';
import { sampleServer } from '../servers/sample-server';
import { serverCalls } from '../servers/server-calls';
import { workspaceCalls } from '../servers/workspace-calls';
import type { Workspaces } from '../servers/workspaces';
import type { LaunchReview } from '../sessions/launch-review';
import { sessionCalls } from '../sessions/session-calls';
import type { SessionPool } from '../sessions/session-pool';
import { reviewCalls } from '../tools/review-calls';
import type { ServerTools } from '../tools/server-tools';
import type { toolCalls } from '../tools/tool-calls';
import type { ToolReview } from '../tools/tool-review';
import { ownProgramCalls } from './launch-planner';
import type { ToolRooms } from './open-tools';
import type { openStores } from './open-stores';
import type { GrantRoom } from './open-grants';
import { pickers } from './pick-folder';
import type { ServerDesk } from './server-desk';
import { shellCalls } from './shell-calls';
import type { AppWindow } from './window';

export interface HouseCallParts {
  app: App;
  clock: Clock;
  window: AppWindow;
  publisher: ViewPublisher;
  stores: Awaited<ReturnType<typeof openStores>>;
  broker: ApprovalBroker;
  autopilot: Autopilot;
  granted: Pick<GrantRoom, 'calls'>;
  review: LaunchReview;
  pool: SessionPool;
  desk: ServerDesk;
  signIn: SignIn;
  runner: ReturnType<typeof toolCalls>;
  turns: TurnRunner;
  attachments: ToolRooms['attachments'];
  serverTools: ServerTools;
  toolReview: ToolReview;
  workspaces: Workspaces;
  noActProblem(): string | null;
  stopChat(id: ConversationId): void;
  forgetChat(id: ConversationId): void;
}

/** Every call of the contract with the room that answers it. */
export function houseCalls(parts: HouseCallParts): CallHandlers {
  const { app, clock, window, publisher, stores, broker, autopilot, review, pool, desk, signIn, runner, turns, attachments } =
    parts;
  const { serverTools, toolReview, noActProblem, stopChat, forgetChat } = parts;
  const { servers, models, conversations, ledger } = stores;
  return {
    ...serverCalls({
      store: servers,
      ...pickers(window),
      sampleDraft: (picked) => sampleServer({ folder: picked, serverScriptPath: sampleScript(app), nodePath: 'node' }),
      turnOff: (id) => desk.turnOff(id),
      revoke: (id) => desk.revoke(id),
      revokeEverything: () => desk.revokeEverything(),
    }),
    ...workspaceCalls({ workspaces: parts.workspaces, pickWorkspace: pickers(window).pickWorkspace, noActProblem }),
    ...sessionCalls({ review, pool, lookAgain: (id) => void serverTools.lookAgain(id) }),
    ...runner.calls,
    ...reviewCalls({ review: toolReview, noActProblem }),
    ...ownProgramCalls(clock, noActProblem),
    ...approvalCalls(broker, noActProblem),
    ...parts.granted.calls,
    ...autopilotCalls({ autopilot, conversations, noActProblem, changed: () => publisher.changed('conversations') }),
    ...conversationCalls({ store: conversations, kept: conversations.keptOutput, beforeDelete: forgetChat }),
    ...chatCalls({ turns, attachments, stopChat }),
    ...modelCalls({ store: models, noActProblem }),
    ...signInCalls({ signIn, noActProblem, tryAgain: (id) => void serverTools.lookAgain(id) }),
    ...egressCalls(ledger),
    ...shellCalls(publisher),
  };
}

/** The official filesystem server that ships with the app. */
const sampleScript = (app: App): string =>
  join(app.getAppPath(), 'node_modules/@modelcontextprotocol/server-filesystem/dist/index.js');
