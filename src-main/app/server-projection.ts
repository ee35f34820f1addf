import type { RouteFacts } from '../../src-shared/egress/route-table';
import { plainAddress } from '../../src-shared/servers/address-template';
import type { SignInState } from '../../src-shared/oauth/sign-in-state.schema';
import { leavesThisComputer } from '../../src-shared/servers/endpoint-rule';
import { launchInWords } from '../../src-shared/servers/launch-words';
import {
  idOfStored,
  isServerOn,
  toServerRow,
  whereOf,
  type SessionState,
  type StoredServer,
} from '../../src-shared/servers/server-rows';
import type { ServerAbout } from '../../src-shared/servers/server-about.schema';
import type { ServerConfig, ServerId, ServerLogLine, ServerRow } from '../../src-shared/servers/server.schema';
import type { PlannedServer } from '../../src-shared/tools/registry-plan';
import type { ToolRow } from '../../src-shared/tools/tool.schema';
import type { Clock } from '../../src-shared/base/clock';
import type { ServerStore } from '../servers/server-store';
import type { TrustStore } from '../servers/trust-store';
import type { LaunchReview } from '../sessions/launch-review';
import type { LaunchStates } from '../sessions/launch-states';
import type { SessionPool } from '../sessions/session-pool';
import type { ServerWish } from '../sessions/session-pool-entry';
import type { ServerFace } from '../tools/call-decision';

export interface ProjectionParts {
  clock: Clock;
  store: Pick<ServerStore, 'list' | 'get' | 'takenNamespaces'>;
  trust: Pick<TrustStore, 'approvedAt' | 'isRouteOn' | 'mayReachPrivateNetwork'>;
  launches: Pick<LaunchStates, 'of'>;
  review: Pick<LaunchReview, 'isLooking'>;
  pool: Pick<SessionPool, 'statusOf' | 'logOf'>;
  /** Turned off in this run though the files could not be written: what they say of these is not followed (S10). */
  halted: ReadonlySet<ServerId>;
  signInOf(id: ServerId): SignInState;
  /** What its row says beside where it stands. */
  about?(id: ServerId, own: readonly ToolRow[]): ServerAbout;
  /** Why the last look at a server's tools failed; null when it did not. */
  listingProblemOf(id: ServerId): string | null;
}

/** What the stores together say of each server: the one answer that rows, routes, the registry and the sessions share. */
export class ServerProjection {
  constructor(private readonly parts: ProjectionParts) {}

  configOf(id: ServerId): ServerConfig | null {
    const stored = this.parts.store.get(id);
    return stored?.kind === 'ok' ? stored.config : null;
  }

  configs(): ServerConfig[] {
    return this.parts.store.list().flatMap((stored) => (stored.kind === 'ok' ? [stored.config] : []));
  }

  wishOf(stored: StoredServer): ServerWish {
    const id = idOfStored(stored);
    if (stored.kind !== 'ok') return 'off';
    if (this.isOn(stored)) return 'on';
    return this.parts.review.isLooking(id) ? 'looking' : 'off';
  }

  wishes(): Map<ServerId, ServerWish> {
    return new Map(this.parts.store.list().map((stored) => [idOfStored(stored), this.wishOf(stored)]));
  }

  planned(): PlannedServer[] {
    const now = this.parts.clock.now();
    return this.parts.store.list().flatMap((stored) => {
      if (stored.kind !== 'ok') return [];
      const { id, name, namespace } = stored.config;
      const status = this.parts.pool.statusOf(id);
      // Down counts until it may be tried again; then the next call tries (W6).
      const down = status.kind === 'failed' && now < status.retryAt;
      return [{ id, name, namespace, on: this.wishOf(stored) === 'on', down }];
    });
  }

  /** When the next server that is down may be tried again; null when none is. */
  nextRetryAt(): number | null {
    const now = this.parts.clock.now();
    const due = this.configs().flatMap(({ id }) => {
      const status = this.parts.pool.statusOf(id);
      return status.kind === 'failed' && status.retryAt > now ? [status.retryAt] : [];
    });
    return due.length === 0 ? null : Math.min(...due);
  }

  /** A server that is being looked at is contacted too, so its route is open (R4). */
  routeFacts(): RouteFacts['servers'] {
    return this.parts.store.list().flatMap((stored) => {
      if (stored.kind !== 'ok') return [];
      const { id, name } = stored.config;
      const privateNetwork = this.parts.trust.mayReachPrivateNetwork(id);
      return [{ id, name, connection: this.#contacted(stored.config), on: this.wishOf(stored) !== 'off', privateNetwork }];
    });
  }

  faceOf(id: ServerId): ServerFace | null {
    const config = this.configOf(id);
    const { fingerprint, realPath } = this.parts.launches.of(id);
    if (!config || config.namespace === null || fingerprint === null) return null;
    const { name, namespace } = config;
    const connection = this.#contacted(config);
    return {
      ...{ name, namespace, fingerprint },
      where: whereOf({ ...config, connection }, realPath),
      leaves: leavesThisComputer(connection),
    };
  }

  /** What it runs or contacts, for a person to know it again; empty when it is gone. */
  launchInWords(id: ServerId): string {
    const config = this.configOf(id);
    return config ? launchInWords(this.#contacted(config), this.parts.launches.of(id).realPath) : '';
  }

  /** The connection with what is known of its address by now: no variable is left in it, and no value of one but the origin (S6). */
  #contacted({ id, connection }: ServerConfig): ServerConfig['connection'] {
    if (connection.kind === 'stdio') return connection;
    const endpoint = plainAddress(connection.endpoint, this.parts.launches.of(id).origin);
    return endpoint === null ? connection : { ...connection, endpoint };
  }

  rows(tools: readonly ToolRow[]): ServerRow[] {
    const takenNamespaces = this.parts.store.takenNamespaces();
    return this.parts.store.list().map((stored) => {
      const id = idOfStored(stored);
      const own = tools.filter((tool) => tool.serverId === id);
      const status = this.parts.pool.statusOf(id);
      const { trust, realPath, origin } = this.parts.launches.of(id);
      return toServerRow({
        stored: this.#asTurnedOff(stored),
        takenNamespaces,
        switchedOn: this.parts.trust.isRouteOn(id),
        trust,
        approvedAt: this.parts.trust.approvedAt(id),
        session: this.#sessionState(id),
        pid: status.kind === 'connected' ? status.pid : null,
        runningSince: status.kind === 'connected' ? status.since : null,
        ...{ realPath, origin },
        signIn: this.parts.signInOf(id),
        tools: {
          offered: own.filter(({ state }) => state === 'on').length,
          total: own.filter(({ state }) => state !== 'gone').length,
          toReview: own.filter(({ state }) => state === 'new' || state === 'changed').length,
        },
        ...(this.parts.about && { about: this.parts.about(id, own) }),
      });
    });
  }

  isOn(stored: StoredServer): boolean {
    const id = idOfStored(stored);
    return isServerOn(this.#asTurnedOff(stored), {
      switchedOn: this.parts.trust.isRouteOn(id),
      trust: this.parts.launches.of(id).trust,
    });
  }

  #asTurnedOff(stored: StoredServer): StoredServer {
    if (stored.kind !== 'ok' || !this.parts.halted.has(stored.config.id)) return stored;
    return { ...stored, config: { ...stored.config, enabled: false } };
  }

  #sessionState(id: ServerId): SessionState {
    const status = this.parts.pool.statusOf(id);
    const looking = this.parts.review.isLooking(id);
    switch (status.kind) {
      case 'failed':
        return {
          kind: 'failed',
          whileLooking: looking,
          problem: status.problem.message,
          log: words(status.log),
          ...(status.retryAt > this.parts.clock.now() ? { retryAt: status.retryAt } : {}),
        };
      case 'starting':
        return looking ? { kind: 'looking', phase: 'starting' } : { kind: 'starting' };
      case 'connected': {
        const problem = this.parts.listingProblemOf(id);
        if (problem !== null) return { kind: 'failed', whileLooking: looking, problem, log: words(this.parts.pool.logOf(id)) };
        return looking ? { kind: 'looking', phase: 'ready' } : { kind: 'connected' };
      }
      case 'idle':
        return looking ? { kind: 'looking', phase: 'starting' } : { kind: 'stopped' };
    }
  }
}

const words = (log: readonly ServerLogLine[]): string[] => log.map(({ text }) => text);
