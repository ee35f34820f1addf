/** Time as a parameter, so that a test can own it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
  /** Runs `task` once after `delayMs`. The returned function cancels it. */
  after(delayMs: number, task: () => void): () => void;
}
