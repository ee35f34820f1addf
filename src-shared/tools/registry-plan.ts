import type { Digest } from '../base/digest.schema';
import { toVisibleText, visibleToString } from '../base/visible-text';
import { checkNamespace } from '../servers/namespace-rule';
import type { ServerId } from '../servers/server.schema';
import { createPublisher, isBuiltInName } from './publish-name-rule';
import type { SkippedTool } from './tool-list-rule';
import type { ToolDefinition, ToolState } from './tool.schema';

/** Every provider we speak to takes at least this many tools (R3). */
export const PROVIDER_TOOL_LIMIT = 128;

export interface PlannedServer {
  id: ServerId;
  /** The user's name for it. */
  name: string;
  namespace: string | null;
  on: boolean;
  /** Known to be down. A server nobody has contacted yet is not (R2). */
  down: boolean;
}

export interface CatalogEntry {
  definition: ToolDefinition;
  digest: Digest;
}

export interface CatalogOfServer {
  tools: readonly CatalogEntry[];
  skipped: readonly SkippedTool[];
}

/** What the user decided about one tool of one server: which definition was reviewed, and whether it is switched on. */
export interface ToolChoice {
  digest: Digest;
  offered: boolean;
}

export interface RegistryInput {
  servers: readonly PlannedServer[];
  catalog: ReadonlyMap<ServerId, CatalogOfServer>;
  /** By raw name (N6). */
  choices: ReadonlyMap<ServerId, ReadonlyMap<string, ToolChoice>>;
}

export interface OfferedTool {
  published: string;
  serverId: ServerId;
  serverName: string;
  rawName: string;
  /** Equal to the approved one: its digest is the one that was reviewed (R4). */
  definition: ToolDefinition;
  digest: Digest;
}

export interface PlannedTool {
  serverId: ServerId;
  rawName: string;
  published: string | null;
  state: ToolState;
  /** Says why it is not on; empty when it is. */
  why: string;
  /** Both null for a skipped tool, which has no definition we could read. */
  definition: ToolDefinition | null;
  digest: Digest | null;
}

export interface RegistryPlan {
  offered: OfferedTool[];
  tools: PlannedTool[];
}

interface Claimant {
  server: PlannedServer;
  rawName: string;
}

/** Which tools are offered, and why each other one is not (R1). Pure: the same facts give the same plan in any order of arrival. */
export function planRegistry(input: RegistryInput): RegistryPlan {
  const publish = createPublisher();
  const named = input.servers.map((server) => {
    const { namespace } = server;
    const refusal = refusalOfNamespace(server);
    const tools = (input.catalog.get(server.id)?.tools ?? []).map((entry) => ({
      entry,
      published: refusal !== null || namespace === null ? null : publish(namespace, entry.definition.rawName),
    }));
    return { server, refusal, tools };
  });
  const collisions = findCollisions(named);

  const plan: RegistryPlan = { offered: [], tools: [] };
  for (const { server, refusal, tools } of named) {
    const serverId = server.id;
    const choices = input.choices.get(serverId);
    for (const { entry, published } of tools) {
      const { definition, digest } = entry;
      const { rawName } = definition;
      const why = refusal ?? refusalOfName(server, rawName, published, collisions);
      const judged = why === null ? judge(server, choices?.get(rawName), digest) : { state: 'refused' as const, why };
      plan.tools.push({ serverId, rawName, published, state: judged.state, why: judged.why, definition, digest });
      if (judged.state === 'on' && published !== null) {
        plan.offered.push({ published, serverId, serverName: server.name, rawName, definition, digest });
      }
    }
    for (const { rawName, why } of input.catalog.get(serverId)?.skipped ?? []) {
      plan.tools.push({ serverId, rawName, published: null, state: 'skipped', why, definition: null, digest: null });
    }
    plan.tools.push(...goneOf(serverId, choices, input.catalog.get(serverId)));
  }
  return plan;
}

/** What was offered and is not listed any more. A server nobody has asked yet has lost nothing (R2, R4). */
function goneOf(
  serverId: ServerId,
  choices: ReadonlyMap<string, ToolChoice> | undefined,
  catalog: CatalogOfServer | undefined,
): PlannedTool[] {
  if (!choices || !catalog) return [];
  const listed = new Set([
    ...catalog.tools.map(({ definition }) => definition.rawName),
    ...catalog.skipped.map(({ rawName }) => rawName),
  ]);
  return [...choices]
    .filter(([rawName, { offered }]) => offered && !listed.has(rawName))
    .map(([rawName]) => ({ serverId, rawName, published: null, state: 'gone', why: GONE, definition: null, digest: null }));
}

const GONE = 'Its server does not list this tool any more.';

interface NamedTools {
  server: PlannedServer;
  tools: readonly { entry: CatalogEntry; published: string | null }[];
}

/** Every published name that more than one tool would carry, reviewed or not, with all who would carry it (N3). */
function findCollisions(named: readonly NamedTools[]): ReadonlyMap<string, readonly Claimant[]> {
  const first = new Map<string, Claimant>();
  const collisions = new Map<string, Claimant[]>();
  for (const { server, tools } of named) {
    for (const { entry, published } of tools) {
      if (published === null) continue;
      const claimant = { server, rawName: entry.definition.rawName };
      const earlier = first.get(published);
      if (earlier === undefined) first.set(published, claimant);
      else collisions.set(published, [...(collisions.get(published) ?? [earlier]), claimant]);
    }
  }
  return collisions;
}

/** The order of the lines is the order of the gates. A waiting review stays visible behind a server that is off. */
function judge(server: PlannedServer, choice: ToolChoice | undefined, digest: Digest): { state: ToolState; why: string } {
  const waiting = choice === undefined ? 'new' : choice.digest !== digest ? 'changed' : null;
  if (!server.on) return { state: waiting ?? 'off', why: `${server.name} is off.` };
  if (server.down) return { state: waiting ?? 'off', why: `${server.name} is not answering.` };
  if (waiting === 'new') return { state: 'new', why: 'You have not reviewed this tool yet.' };
  if (waiting === 'changed') return { state: 'changed', why: 'The server changed this tool since you reviewed it.' };
  if (choice?.offered !== true) return { state: 'off', why: 'You switched this tool off.' };
  return { state: 'on', why: '' };
}

function refusalOfNamespace({ name, namespace }: PlannedServer): string | null {
  if (namespace === null) return `${name} needs a short name before its tools can be offered.`;
  return checkNamespace(namespace).ok ? null : `${name} needs another short name: "${namespace}" is not a legal one.`;
}

/** Says why a tool can have no name of its own, whether or not it was reviewed: both sides of a collision are told (N3). */
function refusalOfName(
  server: PlannedServer,
  rawName: string,
  published: string | null,
  collisions: ReadonlyMap<string, readonly Claimant[]>,
): string | null {
  if (published === null) return null;
  if (isBuiltInName(published)) return `${published} is the name of one of the app’s own tools.`;
  const rivals = (collisions.get(published) ?? [])
    .filter((claimant) => claimant.server.id !== server.id || claimant.rawName !== rawName)
    .map((claimant) => shown(claimant.rawName) + (claimant.server.id === server.id ? '' : ` of ${claimant.server.name}`));
  if (rivals.length === 0) return null;
  return `${shown(rawName)} and ${rivals.join(' and ')} would both be called ${published}, so neither is offered.`;
}

const shown = (rawName: string): string => `"${visibleToString(toVisibleText(rawName))}"`;

/** Sends what the provider takes and names the rest (R3). */
export function fitProviderLimit(
  offered: readonly OfferedTool[],
  limit: number = PROVIDER_TOOL_LIMIT,
): { kept: OfferedTool[]; leftOut: string[] } {
  return { kept: offered.slice(0, limit), leftOut: offered.slice(limit).map((tool) => tool.published) };
}
