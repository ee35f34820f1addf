import { systemClock } from '../../src-main/app/system-clock';
import { FlowGate } from '../../src-main/approvals/flow-gate';
import { ServerPauses } from '../../src-main/approvals/server-pauses';
import { openConversationStore } from '../../src-main/conversations/conversation-store';
import { recordProgramCall } from '../../src-main/egress/program-call';
import { maskSecrets } from '../../src-main/secrets/mask-secrets';
import { NO_CHOICES, type ToolChoices } from '../../src-main/servers/review-records';
import { EraMemory } from '../../src-main/sessions/era-memory';
import { LaunchGate } from '../../src-main/sessions/launch-gate';
import { SessionPool } from '../../src-main/sessions/session-pool';
import { ServerTools } from '../../src-main/tools/server-tools';
import { openCatalogFile, ToolCatalog } from '../../src-main/tools/tool-catalog';
import { ToolReview } from '../../src-main/tools/tool-review';
import { ToolPipeline, type ToolPipelineParts } from '../../src-main/tools/tool-pipeline';
import { ok } from '../../src-shared/base/result';
import { routeIdForServer } from '../../src-shared/egress/route-table';
import type { ToolOutcome } from '../../src-shared/tools/tool.schema';
import type { AppServer } from './app-server';
import { openBenchGrants } from './bench-grants';

/** As long as the secrets of a person with two servers. */
const KNOWN_SECRETS = ['9b1f0c53a7d84e26b0f6d5c1', 'tok_4e7a2d90c1b84f53a6e8d7c2b1a09f8e'];

/** The whole road of a call, with the app's own rooms on it. Only the user is not there. */
export interface AppRoad {
  call(callId: string, text: string): Promise<ToolOutcome>;
  end(): Promise<void>;
}

/** Builds the road to one server, contacts it and pins its one tool. */
export async function openAppRoad(server: AppServer): Promise<AppRoad> {
  const { config, folder, ledger, door } = server;
  const planned = await server.plan();
  if (!planned.ok) throw new Error(planned.problem);
  const { fingerprint } = planned.value;
  const pool = new SessionPool({
    clock: systemClock,
    gate: new LaunchGate({
      configOf: () => config,
      plan: () => server.plan(),
      launchTrust: () => 'approved',
      storeProblem: () => null,
    }),
    door,
    eras: new EraMemory(),
    configOf: () => config,
    routeIdOf: routeIdForServer,
    mask: (text) => text,
  });
  pool.reconcile(new Map([[config.id, 'on']]));

  let pinned: ToolChoices = NO_CHOICES;
  const trust = {
    choices: () => pinned,
    saveChoices(_id: unknown, choices: ToolChoices) {
      pinned = choices;
      return ok(undefined);
    },
  };
  const catalog = new ToolCatalog({
    document: openCatalogFile(folder),
    servers: () => [{ id: config.id, name: config.name, namespace: config.namespace, on: true, down: false }],
    approved: () => pinned.tools,
    changed: () => undefined,
  });
  const serverTools = new ServerTools({ pool, catalog, mask: (text) => text });
  const review = new ToolReview({ catalog, trust });
  const conversations = openConversationStore({ folder, clock: systemClock });
  const pipeline = new ToolPipeline({
    clock: systemClock,
    catalog,
    broker: alwaysYes,
    grants: openBenchGrants(folder),
    flow: new FlowGate((id) => conversations.entries(id)),
    isMarkedReadsOnly: () => false,
    isAutopilotOn: () => false,
    faceOf: () => ({ name: config.name, namespace: 'bench', where: config.name, leaves: false, fingerprint }),
    useSession: (id, signal) => serverTools.useSession(id, signal),
    conversations,
    kept: conversations.keptOutput,
    mask: (text) => maskSecrets(text, KNOWN_SECRETS),
    recordProgramCall: (id, conversation) => recordProgramCall(ledger, routeIdForServer(id), config.name, conversation),
  });

  const session = await serverTools.useSession(config.id);
  if (!session.ok) throw new Error(session.problem.message);
  const [tool] = catalog.listedNames(config.id).flatMap((name) => {
    const listed = catalog.listed(config.id, name);
    return listed ? [{ rawName: name, digest: listed.digest }] : [];
  });
  if (!tool) throw new Error('The server listed no tool.');
  review.pin(config.id, [tool]);

  const conversationId = conversations.create();
  const { signal } = new AbortController();
  return {
    call: (callId, text) =>
      pipeline.call({
        conversationId,
        caller: 'model',
        callId,
        target: { kind: 'picked', serverId: config.id, rawName: tool.rawName },
        argumentsText: JSON.stringify({ text }),
        signal,
      }),
    async end() {
      await pool.stopAll();
      conversations.close();
    },
  };
}

/** Answers at once what a person would have to read first. */
const alwaysYes: ToolPipelineParts['broker'] = {
  ask: async () => ({ kind: 'allowed', reach: 'once' }),
  pauses: new ServerPauses(() => undefined),
};
