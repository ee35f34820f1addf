import type { Result } from '../../src-shared/base/result';
import { failed } from '../../src-shared/base/result';
import type { CallInput, CallName, CallOutput, CallProblem, FeedName, ViewName } from '../../src-shared/ipc/contract';

/** One message from main: a view's whole value, or a piece of a feed. */
export type HostMessage = { view: ViewName; value: unknown } | { feed: FeedName; value: unknown };

/** What the preload puts on the window: the only way to the rest of the app. */
export interface HostPipe {
  call(name: string, input: unknown): Promise<unknown>;
  subscribe(listener: (message: HostMessage) => void): () => void;
}

declare global {
  interface Window {
    readonly host: HostPipe;
  }
}

export type CallOutcome<N extends CallName> = Result<CallOutput<N>, CallProblem>;

/** The contract's calls, typed. Main checks both directions, so a value that arrives here has the shape it claims. */
export const host = {
  async call<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutcome<N>> {
    try {
      return (await window.host.call(name, input)) as CallOutcome<N>;
    } catch {
      return failed({ code: 'unexpected', message: 'The app did not answer. Close this window and open Portcullis again.' });
    }
  },
};
