// Calls tools that were allowed for good among 1,000 such, each in a chat of its own, and times the gate and the whole road of each call.
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../src-main/app/system-clock';
import { FlowGate } from '../../src-main/approvals/flow-gate';
import { ServerPauses } from '../../src-main/approvals/server-pauses';
import { type ConversationStore, openConversationStore } from '../../src-main/conversations/conversation-store';
import type { PinnedTool } from '../../src-main/servers/review-records';
import type { McpSession } from '../../src-main/sessions/mcp-session';
import { memoryDocument } from '../../src-main/storage/memory-document';
import { ToolCatalog } from '../../src-main/tools/tool-catalog';
import { ToolPipeline } from '../../src-main/tools/tool-pipeline';
import {
  type ConversationEntry,
  type ConversationId,
  ConversationIdSchema,
  EntryIdSchema,
} from '../../src-shared/conversations/conversation.schema';
import { ok } from '../../src-shared/base/result';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { definitionDigest } from '../../src-shared/tools/definition-digest';
import { openBenchGrants, storeGrants } from './bench-grants';

const SERVERS = 100;
const TOOLS = 10;
const CALLED = 250;
const ROUNDS = 20;
/** Calls before the code is compiled as it is in an app that runs. */
const WARM_UP = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'portcullis-grants-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const servers = Array.from({ length: SERVERS }, (_, index) => {
  const id = `server-${index}` as ServerId;
  return { id, name: `Server ${index}`, namespace: `server-${index}`, on: true, down: false };
});
const definitions = Array.from({ length: TOOLS }, (_, index) => ({
  rawName: `find_items_${index}`,
  description: `Finds items of kind ${index}.`,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  claims: {},
}));
const pinned = new Map<string, PinnedTool>(
  definitions.map((definition) => [definition.rawName, { digest: definitionDigest(definition), offered: true, definition }]),
);
const catalog = new ToolCatalog({
  document: memoryDocument({ version: 1, servers: {} }),
  servers: () => servers,
  approved: () => pinned,
  changed: () => undefined,
});
for (const { id } of servers) catalog.learn(id, { tools: definitions, skipped: [] });

const launchOf = (id: ServerId): string => `launch of ${id}`;
const every = servers.flatMap(({ id }) => [...pinned].map(([rawName, { digest }]) => ({ id, rawName, digest })));
storeGrants(
  folder,
  every.map(({ id, rawName, digest }) => ({
    ...{ caller: 'model' as const, serverId: id, rawName },
    ...{ fingerprint: launchOf(id), definition: digest },
  })),
);

/** Milliseconds this process has had a processor so far: what others do on this computer is none of the app's cost. */
const spentSoFar = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

let passedGateAt = 0;
const session = {
  transportKind: 'http',
  callTool: async () => {
    passedGateAt = spentSoFar();
    return { ok: true, raw: { content: [{ type: 'text', text: 'found nothing' }] }, figures: { ms: 0, bytesOut: 0, bytesIn: 0 } };
  },
} as unknown as McpSession;

// The gate decides from what is in memory; what the log of a chat costs is its disk's matter, and is measured beside it.
const conversations = process.argv[2] === '"disk"' ? openConversationStore({ folder, clock: systemClock }) : memoryChats();
let asked = 0;
const pipeline = new ToolPipeline({
  clock: systemClock,
  catalog,
  broker: {
    ask: async () => {
      asked += 1;
      return { kind: 'refused', why: 'nobody-answered' };
    },
    pauses: new ServerPauses(() => undefined),
  },
  grants: openBenchGrants(folder),
  flow: new FlowGate((id) => conversations.entries(id)),
  isMarkedReadsOnly: () => false,
  isAutopilotOn: () => false,
  faceOf: (id) => ({ name: id, namespace: id, where: id, leaves: false, fingerprint: launchOf(id) }),
  useSession: async () => ok(session),
  conversations,
  kept: { keep: () => 'kept', read: () => undefined },
  mask: (text) => text,
  recordProgramCall: () => ({ done: () => undefined }),
});

const gate: number[] = [];
for (const { id, rawName } of every.filter((_, index) => index % (every.length / CALLED) === 0)) {
  const conversationId = conversations.create();
  // A model is called because somebody wrote to it, so the file of the chat is open by then.
  conversations.append(conversationId, {
    kind: 'user',
    id: EntryIdSchema.parse(`entry-${randomUUID()}`),
    at: systemClock.now(),
    text: 'What is new?',
  });
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = spentSoFar();
    const outcome = await pipeline.call({
      conversationId,
      caller: 'model',
      callId: `call-${round}`,
      target: { kind: 'named', name: `${id}__${rawName}` },
      argumentsText: '{"text":"what is new"}',
      signal: new AbortController().signal,
    });
    if (outcome.kind !== 'answered') throw new Error(`A call was not run: ${outcome.forPerson}`);
    gate.push(passedGateAt - startedAt);
  }
}
conversations.close();
console.log(JSON.stringify({ grants: every.length, calls: gate.length, asked, p99: tail(gate.slice(WARM_UP)) }));
process.exit(0);

function memoryChats(): Pick<ConversationStore, 'create' | 'append' | 'entries'> & { close(): void } {
  const chats = new Map<ConversationId, ConversationEntry[]>();
  return {
    create() {
      const id = ConversationIdSchema.parse(`chat-${chats.size}`);
      chats.set(id, []);
      return id;
    },
    append: (id, entry) => (chats.get(id)?.push(entry) ?? 0) > 0,
    entries: (id) => chats.get(id) ?? [],
    close: () => undefined,
  };
}

/** The time that one call in a hundred exceeds. */
function tail(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0;
}
