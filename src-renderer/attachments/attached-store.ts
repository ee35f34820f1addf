import { create } from 'zustand';
import type { AttachableRow, AttachmentAsk } from '../../src-shared/attachments/attachment.schema';

/** One thing chosen for a message that is not sent yet. */
export interface Attached {
  row: AttachableRow;
  given: AttachmentAsk['given'];
}

interface AttachedByDraft {
  byDraft: { readonly [conversation: string]: readonly Attached[] };
}

const useAttachedStore = create<AttachedByDraft>(() => ({ byDraft: {} }));
const NONE: readonly Attached[] = [];

export const useAttached = (draftKey: string): readonly Attached[] =>
  useAttachedStore(({ byDraft }) => byDraft[draftKey] ?? NONE);

export const setAttached = (draftKey: string, attached: readonly Attached[]): void =>
  useAttachedStore.setState(({ byDraft }) => ({ byDraft: { ...byDraft, [draftKey]: attached } }));

export const toAsk = ({ row, given }: Attached): AttachmentAsk => ({
  kind: row.kind,
  serverId: row.serverId,
  ref: row.ref,
  given,
});
