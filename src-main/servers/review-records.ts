import { z } from 'zod';
import { LaunchPlanSchema } from '../../src-shared/approvals/approval.schema';
import { type Digest, DigestSchema } from '../../src-shared/base/digest.schema';
import { ServerIdSchema } from '../../src-shared/servers/server.schema';
import { type ToolDefinition, ToolDefinitionSchema } from '../../src-shared/tools/tool.schema';

export const LaunchRecordSchema = z.object({
  id: ServerIdSchema,
  fingerprint: z.string(),
  approvedAt: z.number(),
  /** The user's own yes to addresses inside a private network (E7). */
  privateNetwork: z.literal(true).optional(),
  /** What was on the screen then, secrets left out, to compare with when it changes (T2). It decides nothing. */
  plan: LaunchPlanSchema.optional(),
});

export const ChoicesRecordSchema = z.object({
  id: ServerIdSchema,
  tools: z.array(
    z.object({
      rawName: z.string(),
      digest: DigestSchema,
      offered: z.boolean(),
      definition: ToolDefinitionSchema,
      /** The user's own mark, for this definition and no other (A6). */
      readsOnly: z.literal(true).optional(),
    }),
  ),
  instructionsDigest: DigestSchema.nullable(),
  /** Their text, absent where a review of before did not keep it. */
  instructions: z.string().optional(),
  /** The user's own switch: models are told the reviewed text (R5). */
  tellsInstructions: z.literal(true).optional(),
});

/** What the user decided about one tool: the definition as it was on the screen, and whether it is offered (R4). */
export interface PinnedTool {
  digest: Digest;
  offered: boolean;
  definition: ToolDefinition;
  /** The user says that this tool, defined so, only reads: others' text in a chat does not make it ask (A6). */
  readsOnly?: true | undefined;
}

/** What a server says to models of itself, as it was reviewed (R4). */
export interface PinnedInstructions {
  digest: Digest;
  text: string;
  /** Whether models are told of it; the user's own switch (R5). */
  told: boolean;
}

export interface ToolChoices {
  /** By raw name (N6). */
  readonly tools: ReadonlyMap<string, PinnedTool>;
  /** Null when none were reviewed. */
  readonly instructions: PinnedInstructions | null;
}

export const NO_CHOICES: ToolChoices = { tools: new Map(), instructions: null };

type ChoicesRecord = z.infer<typeof ChoicesRecordSchema>;

export function readChoices(record: ChoicesRecord): ToolChoices {
  const { instructionsDigest: digest, instructions: text, tellsInstructions: told = false } = record;
  return {
    tools: new Map(record.tools.map(({ rawName, ...pinned }) => [rawName, pinned])),
    // What was pinned without its text cannot be told, and is looked at once more.
    instructions: digest !== null && text !== undefined ? { digest, text, told } : null,
  };
}

export function toChoicesRecord(id: ChoicesRecord['id'], { tools, instructions }: ToolChoices): ChoicesRecord {
  return {
    id,
    tools: [...tools].map(([rawName, pinned]) => ({ rawName, ...pinned })),
    instructionsDigest: instructions?.digest ?? null,
    ...(instructions && { instructions: instructions.text }),
    ...(instructions?.told && { tellsInstructions: true as const }),
  };
}
