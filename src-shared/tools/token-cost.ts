import type { ToolForModel } from './description-rule';
import type { ToolRow } from './tool.schema';

/** What is counted of a tool: the text in which a model is told of it (R7). */
export const countedText = (tool: ToolForModel): string => JSON.stringify({ type: 'function', function: tool });

/** About how many tokens some tools cost each turn, and whether each of them was counted. Off tools cost zero: leave them out. */
export function costOf(tools: readonly Pick<ToolRow, 'tokens'>[]): TokenCost {
  const counted = tools.flatMap(({ tokens }) => (tokens === undefined ? [] : [tokens]));
  return { tokens: counted.reduce((sum, tokens) => sum + tokens, 0), complete: counted.length === tools.length };
}

export interface TokenCost {
  tokens: number;
  complete: boolean;
}
