import { create } from 'zustand';

interface Drafts {
  /** Unsent words by conversation; `new` stands for the chat that does not exist yet. */
  words: { readonly [conversation: string]: string };
  /** The model last picked in this window. */
  model: string | null;
}

export const useDrafts = create<Drafts>(() => ({ words: {}, model: null }));

export const setDraft = (conversation: string, words: string): void =>
  useDrafts.setState((drafts) => ({ words: { ...drafts.words, [conversation]: words } }));
