import { join } from 'node:path';
import { z } from 'zod';
import type { Digest } from '../../src-shared/base/digest.schema';
import { sha256Hex } from '../../src-shared/base/sha256';
import { ServerClaimsSchema, type ServerClaims } from '../../src-shared/servers/server-about.schema';
import { oneLine } from '../../src-shared/tools/output-treatment';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { definitionDigest } from '../../src-shared/tools/definition-digest';
import { toolForModel, type ToolForModel } from '../../src-shared/tools/description-rule';
import { countedText } from '../../src-shared/tools/token-cost';
import {
  fitProviderLimit,
  planRegistry,
  PROVIDER_TOOL_LIMIT,
  type CatalogOfServer,
  type OfferedTool as PlannedOffer,
  type PlannedServer,
  type RegistryPlan,
  type ToolChoice,
} from '../../src-shared/tools/registry-plan';
import { ToolDefinitionSchema, type ToolDefinition, type ToolRow } from '../../src-shared/tools/tool.schema';
import { openJsonDocument, type JsonDocument } from '../storage/json-document';

const MAX_SHOWN_DESCRIPTION = 1024;
const MAX_SHOWN_NAME = 300;
const NOT_TOLD = `Not told to models: they take ${PROVIDER_TOOL_LIMIT} tools at most, and this one comes after them.`;

/** What one server listed when it was last asked. */
const ListingSchema = z.object({
  tools: z.array(ToolDefinitionSchema),
  skipped: z.array(z.object({ rawName: z.string(), why: z.string() })),
  /** What it says to models of itself; absent where that was not asked yet. */
  instructions: z.string().nullable().optional(),
  claims: ServerClaimsSchema.optional(),
});
export type ToolListing = z.infer<typeof ListingSchema>;

const CatalogFileSchema = z.object({ version: z.literal(1), servers: z.record(z.string(), z.unknown()) });
type CatalogFile = z.infer<typeof CatalogFileSchema>;

/** What servers listed, remembered from one run to the next (R2). */
export const openCatalogFile = (folder: string): JsonDocument<CatalogFile> =>
  openJsonDocument({ file: join(folder, 'catalog.json'), schema: CatalogFileSchema, empty: { version: 1, servers: {} } });

interface Listed extends CatalogOfServer {
  /** Undefined while nobody has asked. */
  instructions: { text: string; digest: Digest } | null | undefined;
  claims: ServerClaims | undefined;
}

/** A tool on offer, with the form in which a model is told of it. */
export interface OfferedTool extends PlannedOffer {
  forModel: ToolForModel;
}

/** A tool as the user reviewed it: the definition that counts, whatever its server says later (R4). */
export interface ApprovedTool extends ToolChoice {
  definition: ToolDefinition;
  /** The user's own mark, for that definition (A6). */
  readsOnly?: true | undefined;
}

export interface CatalogParts {
  document: JsonDocument<CatalogFile>;
  /** The servers as they stand: on, down, named. */
  servers(): readonly PlannedServer[];
  /** What was approved of one server's tools, by raw name; only what carries a valid seal (S10). */
  approved(id: ServerId): ReadonlyMap<string, ApprovedTool>;
  changed(): void;
  /** Whose name a tool's looks like, in words (N7). */
  markOf?(id: ServerId, rawName: string): string | null;
  /** About what a text costs a model; null while it is not counted. `key` names the text (R7). */
  tokensOf?(key: string, text: () => string): number | null;
}

/** The last known answer of every server. Nothing that reads it ever waits for one (R2). */
export class ToolCatalog {
  readonly #listings = new Map<ServerId, Listed>();
  #plan: RegistryPlan | null = null;
  #offered: OfferedTool[] | null = null;

  constructor(private readonly parts: CatalogParts) {
    const stored = parts.document.read();
    for (const [id, raw] of Object.entries(stored.ok ? stored.value.servers : {})) {
      const listing = ListingSchema.safeParse(raw);
      if (listing.success) this.#listings.set(id as ServerId, toCatalog(listing.data));
    }
  }

  /** Takes what a server listed just now. Only a successful listing comes here, so a failed one keeps the previous (R2). */
  learn(id: ServerId, listing: ToolListing): void {
    this.#listings.set(id, toCatalog(listing));
    this.parts.document.update((file) => ({ ...file, servers: { ...file.servers, [id]: listing } }));
    this.refresh();
  }

  /** Removal forgets (R2, S11). */
  forget(id: ServerId): void {
    this.#listings.delete(id);
    this.parts.document.update((file) => {
      const { [id]: _gone, ...servers } = file.servers;
      return { ...file, servers };
    });
    this.refresh();
  }

  /** Something the plan is made from has changed. */
  refresh(): void {
    this.#plan = null;
    this.#offered = null;
    this.parts.changed();
  }

  /** What models are told of, in a fixed order, and with `read_output` no more than a provider takes (R3). */
  offered(): readonly OfferedTool[] {
    return this.#fit().kept as OfferedTool[];
  }

  findPublished(name: string): OfferedTool | null {
    return this.#allOffered().find((tool) => tool.published === name) ?? null;
  }

  findPicked(serverId: ServerId, rawName: string): OfferedTool | null {
    return this.#allOffered().find((tool) => tool.serverId === serverId && tool.rawName === rawName) ?? null;
  }

  /** True while the very definition that was reviewed is on offer (R4, X23). */
  isStillOffered(tool: OfferedTool): boolean {
    return this.findPicked(tool.serverId, tool.rawName)?.digest === tool.digest;
  }

  /** The definition a server lists now, for reviewing it. */
  listed(id: ServerId, rawName: string): { definition: ToolDefinition; digest: Digest } | null {
    return this.#listings.get(id)?.tools.find((tool) => tool.definition.rawName === rawName) ?? null;
  }

  listedNames(id: ServerId): string[] {
    return this.#listings.get(id)?.tools.map((tool) => tool.definition.rawName) ?? [];
  }

  /** What a server says to models of itself; undefined while nobody has asked. */
  instructionsOf(id: ServerId): { text: string; digest: Digest } | null | undefined {
    return this.#listings.get(id)?.instructions;
  }

  /** What a server said of itself last; it decides nothing. */
  claimsOf(id: ServerId): ServerClaims | null {
    return this.#listings.get(id)?.claims ?? null;
  }

  /** Every tool with its state and reason, treated for showing (O1). */
  rows(): ToolRow[] {
    const leftOut = new Set(this.#fit().leftOut);
    const servers = this.parts.servers();
    const approved = new Map(servers.map(({ id }) => [id, this.parts.approved(id)]));
    const names = new Map(servers.map(({ id, name }) => [id, name]));
    return this.#currentPlan().tools.map(({ serverId, rawName, published, state, why, definition, digest }) => ({
      serverId,
      rawName,
      published,
      title: oneLine(definition?.title ?? '', MAX_SHOWN_NAME),
      description: oneLine(definition?.description ?? '', MAX_SHOWN_DESCRIPTION),
      claims: definition?.claims ?? {},
      state,
      why: published !== null && leftOut.has(published) ? NOT_TOLD : why,
      digest,
      ...(isMarked(approved.get(serverId)?.get(rawName), digest) && { readsOnly: true as const }),
      ...this.#looksLike(serverId, rawName),
      ...this.#tokens(names.get(serverId) ?? '', published, definition, digest),
    }));
  }

  #looksLike(id: ServerId, rawName: string): Pick<ToolRow, 'looksLike'> {
    const looksLike = this.parts.markOf?.(id, rawName) ?? null;
    return looksLike === null ? {} : { looksLike };
  }

  #tokens(
    serverName: string,
    published: string | null,
    definition: ToolDefinition | null,
    digest: Digest | null,
  ): Pick<ToolRow, 'tokens'> {
    if (published === null || definition === null || digest === null) return {};
    const text = (): string => countedText(toolForModel({ published, serverName, definition }));
    const tokens = this.parts.tokensOf?.(`${digest} ${published} ${serverName}`, text) ?? null;
    return tokens === null ? {} : { tokens };
  }

  #fit(): ReturnType<typeof fitProviderLimit> {
    return fitProviderLimit(this.#allOffered(), PROVIDER_TOOL_LIMIT - 1);
  }

  #allOffered(): OfferedTool[] {
    this.#offered ??= this.#currentPlan().offered.map((offer) => {
      const definition = this.parts.approved(offer.serverId).get(offer.rawName)?.definition ?? offer.definition;
      return { ...offer, definition, forModel: toolForModel({ ...offer, definition }) };
    });
    return this.#offered;
  }

  #currentPlan(): RegistryPlan {
    if (!this.#plan) {
      const servers = this.parts.servers();
      const choices = new Map(servers.map(({ id }) => [id, this.parts.approved(id)]));
      this.#plan = planRegistry({ servers, catalog: this.#listings, choices });
    }
    return this.#plan;
  }
}

const isMarked = (tool: ApprovedTool | undefined, digest: Digest | null): boolean =>
  tool?.readsOnly === true && tool.digest === digest;

function toCatalog({ tools, skipped, instructions, claims }: ToolListing): Listed {
  return {
    tools: tools.map((definition) => ({ definition, digest: definitionDigest(definition) })),
    skipped,
    claims,
    instructions:
      typeof instructions !== 'string'
        ? instructions
        : instructions.trim() === ''
          ? null
          : { text: instructions, digest: sha256Hex(instructions) },
  };
}
