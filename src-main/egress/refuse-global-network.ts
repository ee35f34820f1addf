import { NoRouteError } from './egress-errors';

/** Where undici keeps the process-wide dispatcher: its own copy and the one built into Node both look here. */
const PLACES = ['undici.globalDispatcher.1', 'undici.globalDispatcher.2'];

const refusing = {
  dispatch(options: { origin?: string | URL }): boolean {
    throw new NoRouteError(String(options.origin ?? 'that address'));
  },
  close: (): Promise<void> => Promise.resolve(),
  destroy: (): Promise<void> => Promise.resolve(),
};

/**
 * Makes `fetch` and everything else that uses the process-wide dispatcher fail, so that a slip is loud and sends nothing.
 * It loads no network code for that, and nothing that loads later can take the refusal away.
 */
export function refuseGlobalNetwork(): void {
  for (const place of PLACES) {
    Object.defineProperty(globalThis, Symbol.for(place), {
      value: refusing,
      writable: false,
      configurable: false,
      enumerable: false,
    });
  }
}
