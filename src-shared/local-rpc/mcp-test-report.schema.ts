import { z } from 'zod';
import { ResultPartSchema } from '../tools/tool.schema';

/** One tool as the test met it. Its server is taken as reviewed: typing the command was the act for this one run (T1). */
export const TestedToolSchema = z.object({
  published: z.string().nullable(),
  name: z.string(),
  state: z.enum(['on', 'off', 'refused', 'skipped']),
  /** Says why it is not on; empty when it is. */
  why: z.string(),
});
export type TestedTool = z.infer<typeof TestedToolSchema>;

/** What `portcullis mcp test` prints: everything it learned of one server, treated as the app would treat it. */
export const McpTestReportSchema = z.object({
  connected: z.boolean(),
  /** `modern` is the stateless protocol since 2026-07-28, `legacy` the one with a session. */
  era: z.enum(['modern', 'legacy']).nullable(),
  tools: z.array(TestedToolSchema),
  /** Of the one call that was asked for. */
  result: z.object({ forModel: z.string(), parts: z.array(ResultPartSchema), isError: z.boolean() }).nullable(),
  problem: z.string().nullable(),
  /** What the server wrote outside the protocol, and what was noted of it. */
  log: z.array(z.string()),
  ms: z.number(),
});
export type McpTestReport = z.infer<typeof McpTestReportSchema>;
