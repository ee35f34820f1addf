import { join } from 'node:path';
import { z } from 'zod';
import {
  ListedPromptSchema,
  ListedResourceSchema,
  ListedTemplateSchema,
  type ListedPrompt,
} from '../../src-shared/attachments/attachable.schema';
import type { AttachableKind, AttachableRow } from '../../src-shared/attachments/attachment.schema';
import { templateVariables } from '../../src-shared/attachments/uri-template-rule';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { PlannedServer } from '../../src-shared/tools/registry-plan';
import { oneLine } from '../../src-shared/tools/output-treatment';
import { stripInvisible } from '../../src-shared/tools/strip-invisible';
import { openJsonDocument, type JsonDocument } from '../storage/json-document';

const MAX_SHOWN_NAME = 200;
const MAX_SHOWN_DESCRIPTION = 300;

/** What one server listed when it was last asked. A kind that could not be read stays as it was (W6, R2). */
const ListingSchema = z.object({
  resources: z.array(ListedResourceSchema),
  templates: z.array(ListedTemplateSchema),
  prompts: z.array(ListedPromptSchema),
});
export type AttachableListing = z.infer<typeof ListingSchema>;

const FileSchema = z.object({ version: z.literal(1), servers: z.record(z.string(), z.unknown()) });
type AttachablesFile = z.infer<typeof FileSchema>;

/** What servers listed to attach, remembered from one run to the next. */
export const openAttachablesFile = (folder: string): JsonDocument<AttachablesFile> =>
  openJsonDocument({ file: join(folder, 'attachables.json'), schema: FileSchema, empty: { version: 1, servers: {} } });

export interface AttachableCatalogParts {
  document: JsonDocument<AttachablesFile>;
  servers(): readonly PlannedServer[];
  /** Takes secret values out of a text (S5). */
  mask(text: string): string;
  changed(): void;
}

const NONE: AttachableListing = { resources: [], templates: [], prompts: [] };

/** The last known resources and prompts of every server. Nothing that reads it ever waits for one (R2). */
export class AttachableCatalog {
  readonly #listings = new Map<ServerId, AttachableListing>();

  constructor(private readonly parts: AttachableCatalogParts) {
    const stored = parts.document.read();
    for (const [id, raw] of Object.entries(stored.ok ? stored.value.servers : {})) {
      const listing = ListingSchema.safeParse(raw);
      if (listing.success) this.#listings.set(id as ServerId, listing.data);
    }
  }

  /** Takes the kinds that could be listed just now. */
  learn(id: ServerId, listed: Partial<AttachableListing>): void {
    const before = this.#listings.get(id) ?? NONE;
    const listing = this.#masked({ ...before, ...listed });
    if (JSON.stringify(before) === JSON.stringify(listing)) return;
    this.#listings.set(id, listing);
    this.parts.document.update((file) => ({ ...file, servers: { ...file.servers, [id]: listing } }));
    this.parts.changed();
  }

  /** Removal forgets (R2, S11). */
  forget(id: ServerId): void {
    if (!this.#listings.delete(id)) return;
    this.parts.document.update((file) => {
      const { [id]: _gone, ...servers } = file.servers;
      return { ...file, servers };
    });
    this.parts.changed();
  }

  /** What servers that are on have to attach, treated for showing (O1). */
  rows(): AttachableRow[] {
    return this.parts.servers().flatMap((server) => {
      const listing = server.on ? this.#listings.get(server.id) : undefined;
      return listing ? rowsOf(server, listing) : [];
    });
  }

  /** The entry the window means, while its server is on. */
  find(id: ServerId, kind: AttachableKind, ref: string): AttachableRow | null {
    const server = this.parts.servers().find((each) => each.id === id && each.on);
    const listing = this.#listings.get(id);
    if (!server || !listing) return null;
    return rowsOf(server, listing).find((row) => row.kind === kind && row.ref === ref) ?? null;
  }

  /** An entry with a secret in its very address is left out: under any other it could not be asked for (S5). */
  #masked({ resources, templates, prompts }: AttachableListing): AttachableListing {
    const mask = (text: string): string => this.parts.mask(stripInvisible(text).text);
    const isPlain = (text: string): boolean => mask(text) === stripInvisible(text).text;
    const described = <T extends { description: string }>(entry: T): T => ({ ...entry, description: mask(entry.description) });
    return {
      resources: resources.filter(({ uri }) => isPlain(uri)).map((entry) => ({ ...described(entry), name: mask(entry.name) })),
      templates: templates
        .filter(({ uriTemplate }) => isPlain(uriTemplate))
        .map((entry) => ({ ...described(entry), name: mask(entry.name) })),
      prompts: prompts
        .filter(({ rawName, arguments: args }) => [rawName, ...args.map(({ name }) => name)].every(isPlain))
        .map((entry) => ({ ...described(entry), title: mask(entry.title), arguments: entry.arguments.map(described) })),
    };
  }
}

function rowsOf({ id, name }: PlannedServer, { resources, templates, prompts }: AttachableListing): AttachableRow[] {
  const row = (kind: AttachableKind, ref: string, shown: string, description: string): Omit<AttachableRow, 'fields'> => ({
    kind,
    serverId: id,
    serverName: name,
    ref,
    name: oneLine(shown, MAX_SHOWN_NAME) || oneLine(ref, MAX_SHOWN_NAME),
    description: oneLine(description, MAX_SHOWN_DESCRIPTION),
  });
  return [
    ...resources.map((each) => ({ ...row('resource', each.uri, each.name, each.description || each.uri), fields: [] })),
    ...templates.flatMap((each) => {
      const variables = templateVariables(each.uriTemplate);
      if (variables === null) return [];
      const fields = variables.map((variable) => fieldOf({ name: variable, description: '', required: true }));
      return [{ ...row('template', each.uriTemplate, each.name, each.description || each.uriTemplate), fields }];
    }),
    ...prompts.map((each) => ({
      ...row('prompt', each.rawName, each.title, each.description),
      fields: each.arguments.map(fieldOf),
    })),
  ];
}

const fieldOf = ({ name, description, required }: ListedPrompt['arguments'][number]): AttachableRow['fields'][number] => ({
  name,
  label: oneLine(name, MAX_SHOWN_NAME),
  description: oneLine(description, MAX_SHOWN_DESCRIPTION),
  required,
});
