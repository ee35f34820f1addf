import type { ToolDefinition } from '../../src-shared/tools/tool.schema';
import type { SchemaChecker } from '../processes/schema-checker';

/** Absent where nothing is checked but by its server. */
export type Checker = Pick<SchemaChecker, 'check'> | undefined;

/** One sentence when the arguments break the tool's own schema; null when they fit or could not be checked: the server judges then (R6). */
export async function argumentsProblem(checker: Checker, definition: ToolDefinition, value: unknown): Promise<string | null> {
  const verdict = await checker?.check(definition.inputSchema, value);
  return verdict === 'differs'
    ? "The arguments do not fit the tool's input schema, so it was not run. Compare them with its parameters, then call it again."
    : null;
}

/** What a person is told of a result's shape. A result is never lost over it: the tool has run. */
export async function resultNotes(checker: Checker, { outputSchema }: ToolDefinition, raw: unknown): Promise<string[]> {
  const structured = typeof raw === 'object' && raw !== null && 'structuredContent' in raw ? raw.structuredContent : undefined;
  if (!checker || outputSchema === undefined || structured === undefined) return [];
  const verdict = await checker.check(outputSchema, structured);
  if (verdict === 'fits') return [];
  return verdict === 'differs'
    ? ['The result does not have the shape that the tool promises.']
    : ['Whether the result has the shape that the tool promises was not checked.'];
}
