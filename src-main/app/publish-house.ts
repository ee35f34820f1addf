import type { App } from 'electron';
import type { Clock } from '../../src-shared/base/clock';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ShellView } from '../../src-shared/settings/shell.schema';
import type { AttachableCatalog } from '../attachments/attachable-catalog';
import type { ApprovalBroker } from '../approvals/approval-broker';
import type { ViewPublisher } from '../ipc/publish-views';
import type { ToolCatalog } from '../tools/tool-catalog';
import type { Stores } from './open-stores';
import type { OutsideServers } from './open-workspaces';
import type { GrantRoom } from './open-grants';
import type { RouteKeeper } from './route-keeper';
import type { ServerProjection } from './server-projection';
import { shellView } from './shell-view';

/** How many entries of the ledger the Privacy tab is given at once. */
export const SHOWN_LEDGER_ROWS = 200;

export interface PublishedHouse {
  app: App;
  clock: Clock;
  stores: Stores;
  outside: OutsideServers;
  broker: ApprovalBroker;
  granted: Pick<GrantRoom, 'view'>;
  projection: ServerProjection;
  routes: RouteKeeper;
  catalog: ToolCatalog;
  attachables: AttachableCatalog;
  goTo(): ShellView['goTo'];
  isBusy(id: ConversationId): boolean;
  isAutopilotOn(id: ConversationId): boolean;
}

/** Every view has its one publisher here: what the window mirrors is what the rooms decide by. */
export function publishHouse(publisher: ViewPublisher, house: PublishedHouse): void {
  const { broker, projection, routes, catalog } = house;
  const { secrets, servers, trust, models, conversations, ledger } = house.stores;
  publisher.publish('shell', () =>
    shellView({
      app: house.app,
      keychain: secrets.state,
      problems: [servers.problem(), trust.problem(), models.problem(), ...house.outside.problems()],
      goTo: house.goTo(),
    }),
  );
  publisher.publish('servers', () => projection.rows(catalog.rows()));
  publisher.publish('workspaces', () => house.outside.workspaces.rows());
  publisher.publish('tools', () => catalog.rows());
  publisher.publish('attachables', () => house.attachables.rows());
  publisher.publish('approvals', () => broker.waiting());
  publisher.publish('grants', () => house.granted.view());
  publisher.publish('models', () => models.rows());
  publisher.publish('egress', () => ({
    routes: [...routes.current()],
    use: ledger.use(house.clock.now()),
    ledger: ledger.rows(SHOWN_LEDGER_ROWS),
    ledgerCount: ledger.count(),
    chainProblem: ledger.chainProblem(),
    erasedCount: ledger.erasedCount(),
  }));
  publisher.publish('conversations', () =>
    conversations.list().map((facts) => ({
      ...facts,
      busy: house.isBusy(facts.id),
      autopilot: house.isAutopilotOn(facts.id),
      waiting: broker.waiting().filter((request) => 'conversationId' in request && request.conversationId === facts.id).length,
      paused: broker.pauses.pausedIn(facts.id),
    })),
  );
}
