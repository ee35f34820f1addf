import type { RouteFacts } from '../../src-shared/egress/route-table';
import { buildRouteTable } from '../../src-shared/egress/route-table';
import type { Route, RouteId } from '../../src-shared/egress/egress.schema';

/** Holds the one table of routes, made anew when a store changes, and shuts what is no longer open (P1). */
export class RouteKeeper {
  #routes: readonly Route[] | null = null;
  #open = new Map<RouteId, string>();

  constructor(
    private readonly facts: () => RouteFacts,
    private readonly closeRoute: (id: RouteId) => void,
  ) {}

  current(): readonly Route[] {
    this.#routes ??= buildRouteTable(this.facts());
    return this.#routes;
  }

  /** A store changed: sockets of a route that was shut, or that leads elsewhere now, end at once. */
  refresh(): void {
    const before = this.#open;
    this.#routes = null;
    this.#open = new Map(
      this.current().flatMap((route) =>
        route.on ? [[route.id, `${route.privateNetwork ?? false} ${route.origin}${route.pathPrefix}`]] : [],
      ),
    );
    for (const [id, target] of before) if (this.#open.get(id) !== target) this.closeRoute(id);
  }
}
