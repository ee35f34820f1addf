import { oneLine } from './output-treatment';
import { quotableName } from './quotable-name';

const MAX_TOLD = 1024;

/** A server's own instructions as a model is told of them: whose words they are, on one line, bounded (R5). */
export function attributedInstructions(serverName: string, text: string): string {
  // They must not open a second attribution and speak for another server.
  const words = oneLine(text, MAX_TOLD * 64).replace(/\[(?=\s*(?:from the|instructions of)\b)/giu, '(');
  return oneLine(`[instructions of the "${quotableName(serverName)}" MCP server] ${words}`, MAX_TOLD);
}
