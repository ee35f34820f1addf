import type { Digest } from '../base/digest.schema';
import { toVisibleText, visibleToString } from '../base/visible-text';
import type { ServerId } from '../servers/server.schema';
import { createPublisher, isBuiltInName, isPublishedName } from './publish-name-rule';
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
  const publishedOf = (server: PlannedServer, rawName: string) =>
    server.namespace === null ? null : publish(server.namespace, rawName);

  const claimants = new Map<string, Claimant[]>();
  for (const server of input.servers) {
    for (const { definition } of input.catalog.get(server.id)?.tools ?? []) {
      const published = publishedOf(server, definition.rawName);
      if (published === null) continue;
      const sameName = claimants.get(published);
      const claimant = { server, rawName: definition.rawName };
      if (sameName) sameName.push(claimant);
      else claimants.set(published, [claimant]);
    }
  }

  const plan: RegistryPlan = { offered: [], tools: [] };
  for (const server of input.servers) {
    const choices = input.choices.get(server.id);
    const catalog = input.catalog.get(server.id);
    for (const { definition, digest } of catalog?.tools ?? []) {
      const { rawName } = definition;
      const published = publishedOf(server, rawName);
      const refusal = refusalOf(server, rawName, published, claimants);
      const { state, why } =
        refusal === null ? judge(server, choices?.get(rawName), digest) : { state: 'refused' as const, why: refusal };
      plan.tools.push({ serverId: server.id, rawName, published, state, why, definition, digest });
      if (state === 'on' && published !== null) {
        plan.offered.push({ published, serverId: server.id, serverName: server.name, rawName, definition, digest });
      }
    }
    for (const { rawName, why } of catalog?.skipped ?? []) {
      plan.tools.push({ serverId: server.id, rawName, published: null, state: 'skipped', why, definition: null, digest: null });
    }
  }
  return plan;
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

/** Says why a tool can have no name of its own, whether or not it was reviewed: both sides of a collision are told (N3). */
function refusalOf(
  server: PlannedServer,
  rawName: string,
  published: string | null,
  claimants: ReadonlyMap<string, readonly Claimant[]>,
): string | null {
  if (published === null) return `${server.name} needs a short name before its tools can be offered.`;
  if (isBuiltInName(published)) return `${published} is the name of one of the app’s own tools.`;
  if (!isPublishedName(published)) return `${server.name} needs another short name: "${server.namespace}" is not a legal one.`;
  const sameName = claimants.get(published) ?? [];
  if (sameName.length < 2) return null;
  const rivals = sameName
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
