import type { Route } from '../../src-shared/egress/egress.schema';
import { countOf } from '../ui/format';

export interface RouteGroups {
  leaving: Route[];
  staying: Route[];
  /** Open, leaving, and without a switch. Each route lies in one group only. */
  cannotBeTurnedOff: Route[];
}

const cannotBeTurnedOff = (route: Route): boolean => route.on && route.leaves && !route.switchable;

export function groupRoutes(routes: readonly Route[]): RouteGroups {
  return {
    leaving: routes.filter((route) => route.leaves && !cannotBeTurnedOff(route)),
    staying: routes.filter((route) => !route.leaves),
    cannotBeTurnedOff: routes.filter(cannotBeTurnedOff),
  };
}

/** `2 open, 3 closed`. */
export function openAndClosed(routes: readonly Route[]): string {
  const open = routes.filter((route) => route.on).length;
  return `${open} open, ${routes.length - open} closed`;
}

/** The second line of the headline: what the first one cannot speak for. Null while no program runs. */
export function programsSentence(routes: readonly Route[]): string | null {
  const programs = routes.filter((route) => route.on && route.kind === 'local-program').length;
  if (programs === 0) return null;
  return `${countOf(programs, 'program')} can use the network ${programs === 1 ? 'itself' : 'themselves'}.`;
}

/** What stands under "Cannot be turned off" when nothing does. It names what leaves, has no switch here, and is off. */
export function everySwitchSentence(routes: readonly Route[]): string {
  const without = routes.filter((route) => route.leaves && !route.switchable && !route.on).map((route) => route.name);
  if (without.length === 0) return 'None. Every way out of this app has a switch on this page.';
  const [those, are] = without.length === 1 ? ['one', 'is'] : [String(without.length), 'are'];
  return `None. Every way out of this app has a switch on this page, except ${those} that ${are} off: ${without.join(', ')}.`;
}

/** Whether what goes this way is written in the ledger of this window. */
export const isCounted = ({ kind }: Route): boolean =>
  kind === 'model' || kind === 'mcp-server' || kind === 'sign-in' || kind === 'browser-link' || kind === 'local-program';
