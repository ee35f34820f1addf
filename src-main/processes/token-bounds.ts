/** Beyond this a text is taken to go on as it began. */
export const MAX_COUNTED_CHARS = 100_000;
export const PIECE_CHARS = 1_000;
