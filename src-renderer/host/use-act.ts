import { useCallback, useEffect, useRef, useState } from 'react';
import type { CallInput, CallName, CallOutput } from '../../src-shared/ipc/contract';
import { host, type CallOutcome } from './host';

export interface Act {
  busy: boolean;
  /** The message of the last call that did not succeed, as it stands; null after one that did. */
  problem: string | null;
  run<N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutcome<N>>;
  clear(): void;
}

/** Calls main and keeps what went wrong, so that it can be shown beside the control that caused it. */
export function useAct(): Act {
  const [pending, setPending] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const run = useCallback(async <N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutcome<N>> => {
    setPending((count) => count + 1);
    const outcome = await host.call(name, input);
    setPending((count) => count - 1);
    setProblem(outcome.ok ? null : outcome.problem.message);
    return outcome;
  }, []);
  const clear = useCallback(() => setProblem(null), []);
  return { busy: pending > 0, problem, run, clear };
}

export type Answer<N extends CallName> =
  { state: 'loading' } | { state: 'failed'; problem: string } | { state: 'ready'; value: CallOutput<N> };

/** Asks main once for each new `key`; null asks nothing. For what is a question, not a view. */
export function useAnswer<N extends CallName>(name: N, key: string | null, input: CallInput<N>): Answer<N> {
  const [answer, setAnswer] = useState<{ key: string | null; value: Answer<N> }>({ key: null, value: { state: 'loading' } });
  const latestInput = useRef(input);
  useEffect(() => {
    latestInput.current = input;
  });
  useEffect(() => {
    if (key === null) return undefined;
    let wanted = true;
    void host.call(name, latestInput.current).then((outcome) => {
      if (!wanted) return;
      setAnswer({
        key,
        value: outcome.ok ? { state: 'ready', value: outcome.value } : { state: 'failed', problem: outcome.problem.message },
      });
    });
    return () => {
      wanted = false;
    };
  }, [name, key]);
  return answer.key === key ? answer.value : { state: 'loading' };
}
