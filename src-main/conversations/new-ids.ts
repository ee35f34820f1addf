import { randomUUID } from 'node:crypto';
import type { ConversationId, EntryId } from '../../src-shared/conversations/conversation.schema';
import { ConversationIdSchema, EntryIdSchema } from '../../src-shared/conversations/conversation.schema';

export const newConversationId = (): ConversationId => ConversationIdSchema.parse(`chat-${randomUUID()}`);
export const newEntryId = (): EntryId => EntryIdSchema.parse(`entry-${randomUUID()}`);
