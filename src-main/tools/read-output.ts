import { z } from 'zod';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ToolForModel } from '../../src-shared/tools/description-rule';
import { framedPage, pageOf } from '../../src-shared/tools/output-treatment';
import { checkArguments } from '../../src-shared/tools/argument-check';
import type { ToolOutcome } from '../../src-shared/tools/tool.schema';
import { notRunOutcome } from './tool-outcome';

export const READ_OUTPUT = 'read_output';
/** About 2,000 tokens, as much as a result shows at first (O3). */
export const PAGE_CHARACTERS = 8000;

/** Finds a kept text by its handle, in the chat it was kept for and in no other. */
export interface KeptOutputReader {
  read(conversation: ConversationId, handle: string): string | undefined;
}

/** The built-in by which a model pages through a long result. It reads what the user already let in, so it asks nothing (G5). */
export const readOutputTool: ToolForModel = {
  name: READ_OUTPUT,
  description:
    'Read more of a tool result that was cut. Give the handle named where text is missing, and an offset in characters.',
  parameters: {
    type: 'object',
    properties: {
      handle: { type: 'string', description: 'The handle named in the cut result.' },
      offset: { type: 'integer', minimum: 0, description: 'Where to start, in characters. Left out means the beginning.' },
    },
    required: ['handle'],
  },
};

const ArgumentsSchema = z.object({ handle: z.string().max(64), offset: z.number().int().min(0).catch(0) });

/** Runs `read_output`. `id` frames the page as the result itself was framed (O2). */
export function runReadOutput(
  kept: KeptOutputReader,
  conversation: ConversationId,
  argumentsText: string,
  id: string,
): ToolOutcome {
  const checked = checkArguments(readOutputTool.parameters, argumentsText);
  if (!checked.ok) return notRunOutcome('bad-arguments', checked.problem);
  const { handle, offset } = ArgumentsSchema.parse(checked.value.value);
  const text = kept.read(conversation, handle);
  if (text === undefined)
    return notRunOutcome('bad-arguments', `There is no kept output with the handle ${handle} in this chat.`);

  const page = pageOf(text, offset, PAGE_CHARACTERS);
  return {
    kind: 'answered',
    forModel: framedPage(page, { server: 'Portcullis', tool: READ_OUTPUT, id }),
    forPerson: page.text,
    pageOf: handle,
    parts: [],
    removedCharacters: 0,
    ms: 0,
    bytesOut: 0,
    bytesIn: 0,
    allowedBy: 'reads only what is kept in this chat',
  };
}
