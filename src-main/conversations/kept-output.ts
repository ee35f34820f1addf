import { randomBytes } from 'node:crypto';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { PrivateFolder } from '../storage/private-folder';

/** All kept results of one profile together (O3). */
export const MAX_KEPT_BYTES = 1024 ** 3;

/** The whole treated text of results that were too long to show at once (O3). */
export interface KeptOutput {
  /** Keeps a text with its conversation and names it by a random handle. Makes room by letting the oldest texts go. */
  keep(conversationId: ConversationId, text: string): string;
  /** Undefined for a handle of another conversation, and for a text that was let go. */
  read(conversationId: ConversationId, handle: string): string | undefined;
  removeAll(conversationId: ConversationId): void;
}

const HANDLE = /^out-[0-9a-f]{32}$/;

interface KeptText {
  conversationId: string;
  handle: string;
  bytes: number;
}

/** `folder` holds one folder for each conversation that has kept texts. */
export function openKeptOutput(parts: { folder: PrivateFolder; maxBytes?: number }): KeptOutput {
  return new FolderOfOutput(parts.folder, parts.maxBytes ?? MAX_KEPT_BYTES);
}

class FolderOfOutput implements KeptOutput {
  readonly #folder: PrivateFolder;
  readonly #maxBytes: number;
  /** Oldest first. Read from the disk at first need. */
  #texts: KeptText[] | undefined;

  constructor(folder: PrivateFolder, maxBytes: number) {
    this.#folder = folder;
    this.#maxBytes = maxBytes;
  }

  keep(conversationId: ConversationId, text: string): string {
    const handle = `out-${randomBytes(16).toString('hex')}`;
    const bytes = Buffer.byteLength(text);
    const texts = this.#all();
    this.#makeRoom(texts, bytes);
    this.#folder.folder(conversationId).write(fileOf(handle), text);
    texts.push({ conversationId, handle, bytes });
    return handle;
  }

  read(conversationId: ConversationId, handle: string): string | undefined {
    return HANDLE.test(handle) ? this.#folder.folder(conversationId).read(fileOf(handle)) : undefined;
  }

  removeAll(conversationId: ConversationId): void {
    this.#folder.remove(conversationId);
    this.#texts = this.#texts?.filter((text) => text.conversationId !== conversationId);
  }

  #makeRoom(texts: KeptText[], bytes: number): void {
    let total = texts.reduce((sum, text) => sum + text.bytes, bytes);
    while (total > this.#maxBytes) {
      const oldest = texts.shift();
      if (!oldest) return;
      this.#folder.folder(oldest.conversationId).remove(fileOf(oldest.handle));
      total -= oldest.bytes;
    }
  }

  #all(): KeptText[] {
    this.#texts ??= this.#folder
      .folderNames()
      .flatMap((conversationId) =>
        this.#folder
          .folder(conversationId)
          .files()
          .map((file) => ({ ...file, conversationId })),
      )
      .filter(({ name }) => HANDLE.test(name.replace(/\.txt$/, '')))
      .sort((a, b) => a.modifiedAt - b.modifiedAt)
      .map(({ conversationId, name, bytes }) => ({ conversationId, handle: name.replace(/\.txt$/, ''), bytes }));
    return this.#texts;
  }
}

const fileOf = (handle: string): string => `${handle}.txt`;
