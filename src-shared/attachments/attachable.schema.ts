import { z } from 'zod';

/** Names and addresses longer than this are no names; the entry is left out. */
const LongNameSchema = z.string().min(1).max(2048);

/** One resource as its server lists it: shape-checked and bounded, otherwise untreated. */
export const ListedResourceSchema = z.object({
  uri: LongNameSchema,
  name: z.string(),
  description: z.string(),
});
export type ListedResource = z.infer<typeof ListedResourceSchema>;

/** A family of resources; its `{variables}` are filled in by the user (RFC 6570). */
export const ListedTemplateSchema = z.object({
  uriTemplate: LongNameSchema,
  name: z.string(),
  description: z.string(),
});
export type ListedTemplate = z.infer<typeof ListedTemplateSchema>;

/** One prompt as its server lists it; its arguments are asked of the user. */
export const ListedPromptSchema = z.object({
  rawName: LongNameSchema,
  title: z.string(),
  description: z.string(),
  arguments: z.array(z.object({ name: LongNameSchema, description: z.string(), required: z.boolean() })).max(64),
});
export type ListedPrompt = z.infer<typeof ListedPromptSchema>;
