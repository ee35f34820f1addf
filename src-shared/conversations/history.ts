import { attachmentForModel } from '../attachments/attachment-rule';
import { assertNever } from '../base/assert-never';
import type { ConversationEntry } from './conversation.schema';
import { endedCallOutcome } from './ended-call';

export interface ModelToolCall {
  callId: string;
  name: string;
  /** Always a JSON object, whatever the model wrote. */
  argumentsText: string;
}

/** What a model is given of a conversation, before any provider's own format. */
export type ModelMessage =
  | { role: 'user'; text: string }
  | { role: 'assistant'; text: string; toolCalls: ModelToolCall[] }
  | { role: 'tool'; callId: string; text: string };

type CallEntry = Extract<ConversationEntry, { kind: 'tool-call' }>;

/** One call by the model or by hand, with its result once that came. */
interface Call {
  entry: CallEntry;
  result: string | null;
}

/** An assistant's message and everything up to the next message of anyone. */
interface Turn {
  text: string;
  calls: Call[];
}

/**
 * Tells the conversation as providers want to hear it: right after an assistant's message comes exactly one result
 * for each tool use in it, in order (A8), and what the user ran by hand follows as the user's word.
 */
export function toModelHistory(entries: readonly ConversationEntry[]): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let turn: Turn = { text: '', calls: [] };
  const endTurn = () => {
    writeTurn(messages, turn);
    turn = { text: '', calls: [] };
  };
  for (const entry of entries) {
    switch (entry.kind) {
      case 'user':
        endTurn();
        for (const text of [entry.text, ...(entry.attachments ?? []).map(attachmentForModel)]) addUserText(messages, text);
        break;
      case 'assistant':
        endTurn();
        turn.text = entry.text;
        break;
      case 'tool-call':
        turn.calls.push({ entry, result: null });
        break;
      case 'tool-result': {
        const call = turn.calls.find((open) => open.entry.callId === entry.callId && open.result === null);
        if (call) call.result = entry.outcome.forModel;
        break;
      }
      default:
        assertNever(entry);
    }
  }
  endTurn();
  return messages;
}

function writeTurn(messages: ModelMessage[], { text, calls }: Turn): void {
  const byModel = calls.filter(({ entry }) => entry.caller === 'model');
  // Providers refuse an assistant's message with nothing in it.
  if (text !== '' || byModel.length > 0) {
    messages.push({ role: 'assistant', text, toolCalls: byModel.map(({ entry }) => toolCallOf(entry)) });
  }
  for (const { entry, result } of byModel) {
    messages.push({ role: 'tool', callId: entry.callId, text: result ?? endedCallOutcome.forModel });
  }
  for (const call of calls) {
    if (call.entry.caller !== 'model') addUserText(messages, handRunNote(call));
  }
}

function handRunNote({ entry, result }: Call): string {
  const how = entry.caller === 'you' ? 'by hand' : 'from the command line';
  const run = `The user ran ${entry.name} ${how} with these arguments: ${entry.argumentsText || '{}'}`;
  return result === null ? `${run}\nIt has not answered.` : `${run}\nIt answered:\n${result}`;
}

/** Some chat templates take no two messages of the user in a row. */
function addUserText(messages: ModelMessage[], text: string): void {
  if (text === '') return;
  const last = messages.at(-1);
  if (last?.role === 'user') last.text += `\n\n${text}`;
  else messages.push({ role: 'user', text });
}

function toolCallOf(entry: CallEntry): ModelToolCall {
  // Providers refuse a whole history for one illegal name or one broken argument text; the result says what was wrong with it.
  const name = entry.name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 64) || 'unknown';
  return { callId: entry.callId, name, argumentsText: isJsonObject(entry.argumentsText) ? entry.argumentsText : '{}' };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
