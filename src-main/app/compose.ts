import type { App } from 'electron';
import type { Clock } from '../../src-shared/base/clock';
import { routeIdForServer } from '../../src-shared/egress/route-table';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerConfig, ServerId } from '../../src-shared/servers/server.schema';
import type { ShellView } from '../../src-shared/settings/shell.schema';
import { ApprovalBroker } from '../approvals/approval-broker';
import { Autopilot } from '../approvals/autopilot';
import { FlowGate } from '../approvals/flow-gate';
import { noActProblem } from '../approvals/real-act';
import { isPrivateAddress } from '../egress/dialled-address';
import { BrowserLinks } from '../egress/browser-links';
import { EgressDoor } from '../egress/egress-door';
import { openBrowser } from '../egress/open-browser';
import type { ViewPublisher } from '../ipc/publish-views';
import type { SignIn } from '../oauth/sign-in';
import { EraMemory, openErasFile } from '../sessions/era-memory';
import { LaunchGate } from '../sessions/launch-gate';
import { LaunchReview } from '../sessions/launch-review';
import { LaunchStates } from '../sessions/launch-states';
import { SessionPool } from '../sessions/session-pool';
import { toolCalls } from '../tools/tool-calls';
import { houseCalls } from './house-calls';
import { openGrants, type GrantRoom } from './open-grants';
import { launchPlanner, unlessRefused } from './launch-planner';
import { openStores } from './open-stores';
import { openTools, type ToolRooms } from './open-tools';
import { OutsideServers } from './open-workspaces';
import { publishHouse } from './publish-house';
import { RouteKeeper } from './route-keeper';
import { ServerProjection } from './server-projection';
import { ServerDesk } from './server-desk';
import { dropStrayTokens, openSignIn, signInRoutes } from './sign-in-desk';
import type { AppWindow } from './window';

export interface ComposeParts {
  app: App;
  folder: string;
  /** The built keychain process and threads; only `main` knows where the built files lie. */
  keychainScript: string;
  schemaScript: string;
  tokenScript: string;
  /** The file of entries this run was started with, if any (S9). */
  runConfig: string | null;
  clock: Clock;
  window: AppWindow;
  publisher: ViewPublisher;
}

/** The whole app behind its window. */
export interface House {
  handlers: CallHandlers;
  goTo(screen: NonNullable<ShellView['goTo']>['screen']): void;
  /** Nobody is there to answer or to read (A2, W5). */
  windowGone(): void;
  /** Ends every call, program and connection; resolves when nothing of them runs. */
  end(): Promise<void>;
}

/** Builds every room and wires them. Stores say what should be; the few wires below make it so. */
export async function compose(parts: ComposeParts): Promise<House> {
  const { app, folder, clock, window, publisher } = parts;
  const stores = await openStores(parts);
  const { secrets, servers, trust, models, conversations, ledger, mask } = stores;

  const broker = new ApprovalBroker(clock, window, () => {
    publisher.changed('approvals');
    publisher.changed('conversations');
  });
  const flow = new FlowGate((id) => conversations.entries(id));
  const autopilot = new Autopilot();
  const noAct = (): string | null => noActProblem(window, clock);

  // Of an entry whose workspace is not trusted nothing is worked out, not even where its program lies (T3).
  const plan = unlessRefused(launchPlanner(stores), (config) => outside.workspaces.refusal(config));
  const unread = (config: ServerConfig): string | null => outside.workspaces.unread(config);
  const configOf = (id: ServerId): ServerConfig | null => projection.configOf(id);
  const launches = new LaunchStates({ configOf, plan, trust, changed: () => reconcile() });
  const granted: GrantRoom = openGrants({
    ...{ folder, clock, stores, launches },
    projection: () => projection,
    catalog: () => catalog,
    noActProblem: noAct,
    changed: () => publisher.changed('grants'),
  });
  const { grants } = granted;
  const review = new LaunchReview({
    clock,
    configOf,
    plan: unlessRefused(plan, unread),
    broker,
    trust,
    looksLike: (id) => tools.abouts.ofServer(id),
    isPrivateAddress,
    changed: () => void refresh(),
  });
  const door: EgressDoor = new EgressDoor({ routes: () => routes.current(), ledger, clock });
  const links: BrowserLinks = new BrowserLinks({
    ...{ ledger, routes: () => routes.current(), handOver: openBrowser },
    changed() {
      routes.refresh();
      publisher.changed('egress');
    },
  });
  const pool: SessionPool = new SessionPool({
    clock,
    gate: new LaunchGate({
      configOf,
      plan,
      launchTrust: (id, fingerprint) => trust.launchTrust(id, fingerprint),
      storeProblem: (config) => servers.problem() ?? trust.problem() ?? unread(config),
    }),
    door,
    eras: new EraMemory(openErasFile(folder)),
    configOf,
    routeIdOf: routeIdForServer,
    mask,
    accessTo: (id, endpoint) => signIn.accessTo(id, endpoint),
    onToolsChanged: (id) => void tools.serverTools.toolsChanged(id),
    onAttachablesChanged: (id) => void tools.attachments.learnAgain(id),
  });
  const halted = new Set<ServerId>();
  const projection: ServerProjection = new ServerProjection({
    ...{ clock, store: servers, trust, launches, review, pool, halted },
    about: (id, own) => tools.abouts.of(id, own),
    listingProblemOf: (id) => tools.serverTools.listingProblemOf(id),
    signInOf: (id) => signIn.stateOf(id),
  });
  const signIn: SignIn = openSignIn({
    ...{ folder, clock, vault: secrets.vault, broker, door, links, projection },
    changed() {
      routes.refresh();
      for (const view of ['servers', 'egress'] as const) publisher.changed(view);
    },
  });
  const routes: RouteKeeper = new RouteKeeper(
    () => ({
      models: models.routeFacts(),
      servers: projection.routeFacts(),
      signIns: signInRoutes(signIn, projection),
      openingLink: links.opening(),
      keychainState: secrets.state,
    }),
    (id) => door.closeRoute(id),
  );

  const tools: ToolRooms = openTools({
    links,
    ...{ folder, clock, publisher, stores, broker, grants, flow, autopilot, pool, door, projection },
    ...{ schemaScript: parts.schemaScript, tokenScript: parts.tokenScript },
    endGrants: () => granted.endChanged(),
  });
  const { catalog, serverTools, attachables, attachments, pipeline, turns } = tools;

  // The wires: whatever changed, the same few steps make what is follow what should be.
  let shownScreen: ShellView['goTo'] = null;
  function reconcile(): void {
    publisher.changed('workspaces');
    routes.refresh();
    pool.reconcile(projection.wishes());
    catalog.refresh();
    for (const view of ['servers', 'tools', 'grants', 'attachables', 'models', 'egress', 'shell'] as const)
      publisher.changed(view);
  }
  async function refresh(): Promise<void> {
    for (const { id, enabled } of projection.configs()) if (!enabled && trust.isRouteOn(id)) trust.setRouteOn(id, false);
    // A file that cannot be read names no servers, and takes nobody's tokens with it (S4).
    if (servers.problem() === null) dropStrayTokens(signIn, configOf);
    // At once, so that what was shut is shut; and again when the look at what would run is done.
    reconcile();
    await launches.refresh(projection.configs());
    reconcile();
    for (const id of review.looking()) {
      const isOver = launches.of(id).trust !== 'approved' || projection.wishes().get(id) === 'on';
      if (isOver) review.stopLooking(id);
      else if (pool.statusOf(id).kind === 'idle') void serverTools.useSession(id);
    }
  }
  servers.onChange(() => void refresh());
  trust.onChange(() => void refresh());
  models.onChange(reconcile);
  pool.onChange(() => {
    catalog.refresh();
    for (const { id } of projection.configs()) {
      const status = pool.statusOf(id);
      if (status.kind === 'failed' && status.problem.privateNetwork) review.ledToPrivateNetwork(id);
    }
    // What is down may be tried again after its back-off, and is offered again from then on (W6).
    const due = projection.nextRetryAt();
    if (due !== null) clock.after(due - clock.now() + 1, () => catalog.refresh());
  });
  ledger.onChange(() => publisher.changed('egress'));
  conversations.onChange((change) => {
    publisher.changed('conversations');
    if (change.kind === 'entry')
      publisher.feed('conversation', { kind: 'entry', conversationId: change.id, entry: change.entry });
    else publisher.changed('grants');
  });

  const desk = new ServerDesk({
    revokeWorkspaces: () => outside.workspaces.revokeAll(),
    ...{ servers, trust, broker, grants, flow, review, catalog, attachables, serverTools, halted, changed: reconcile },
  });
  const outside: OutsideServers = new OutsideServers({
    ...{ folder, clock, stores, revokeServer: (id) => desk.revoke(id) },
    changed: () => void refresh(),
  });
  servers.onRemoved((id) => desk.forget(id));
  servers.expectEntries(trust.knownServers());
  servers.onRemoved((id) => signIn.forget(id));
  // The entry is the same, so nothing else tells that what was missing is there, or that what runs has an old secret (T2).
  servers.onSecretsReplaced((id) => void pool.stop(id).then(refresh));

  const runner = toolCalls({
    catalog,
    pipeline,
    tools: tools.toolReview,
    turnOn: (id) => desk.turnOn(id),
    cancelCall: (callId) => turns.cancelCall(callId),
    noActProblem: noAct,
    isReviewed: (id) => review.isLooking(id) || projection.planned().some((server) => server.id === id && server.on),
  });
  function stopChat(id: ConversationId): void {
    turns.stop(id);
    attachments.stop(id);
    runner.stopChat(id);
    broker.settleConversation(id);
  }
  function windowGone(): void {
    broker.settleAll();
    signIn.cancelAll();
    for (const { id } of conversations.list()) stopChat(id);
    for (const id of review.looking()) review.stopLooking(id);
  }

  publishHouse(publisher, {
    outside,
    ...{ app, clock, stores, broker, granted, projection, routes, catalog, attachables },
    goTo: () => shownScreen,
    isAutopilotOn: (id) => autopilot.isOn(id),
    isBusy: (id) => turns.isBusy(id) || attachments.isBusy(id) || runner.isBusy(id),
  });

  await outside.start(parts.runConfig);
  await refresh();
  return {
    handlers: houseCalls({
      workspaces: outside.workspaces,
      ...{ app, clock, window, publisher, stores, broker, autopilot, review, pool, desk, signIn },
      ...{ runner, turns, attachments, serverTools },
      ...{ granted, noActProblem: noAct, stopChat, forgetChat, toolReview: tools.toolReview },
    }),
    goTo(screen) {
      shownScreen = { screen, nth: (shownScreen?.nth ?? 0) + 1 };
      publisher.changed('shell');
    },
    windowGone,
    async end() {
      windowGone();
      // What was written so far is kept before its store closes.
      await Promise.all([turns.end(), pool.stopAll()]);
      outside.end();
      await door.close();
      granted.close();
      await stores.close();
    },
  };

  function forgetChat(id: ConversationId): void {
    stopChat(id);
    grants.forgetConversation(id);
    flow.forgetConversation(id);
    autopilot.set(id, false);
  }
}
