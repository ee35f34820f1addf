import { Dispatcher, setGlobalDispatcher } from 'undici';
import { NoRouteError } from './egress-errors';

/** Makes `fetch` and everything else that uses the process-wide dispatcher fail, so that a slip is loud and sends nothing. */
export function refuseGlobalNetwork(): void {
  setGlobalDispatcher(new RefusingDispatcher());
}

class RefusingDispatcher extends Dispatcher {
  override dispatch(options: Dispatcher.DispatchOptions): boolean {
    throw new NoRouteError(String(options.origin ?? 'that address'));
  }
  override close(): Promise<void> & void {
    return Promise.resolve() as Promise<void> & void;
  }
  override destroy(): Promise<void> & void {
    return Promise.resolve() as Promise<void> & void;
  }
}
