import { plainAddress } from './address-template';
import type { SignInState } from '../oauth/sign-in-state.schema';
import { checkEndpoint, leavesThisComputer } from './endpoint-rule';
import { suggestNamespace } from './namespace-rule';
import { NOTHING_ABOUT, type ServerAbout } from './server-about.schema';
import {
  DEFAULT_LIMITS,
  type ServerConfig,
  type ServerId,
  type ServerRow,
  type ServerSource,
  type ServerStatus,
} from './server.schema';

/** One entry of the store: fit to connect, or refused with the reason. Both have an id, so both can be removed. */
export type StoredServer =
  | { kind: 'ok'; config: ServerConfig }
  | { kind: 'refused'; id: ServerId; name: string; reason: string; source: ServerSource; addedAt: number };

export const idOfStored = (stored: StoredServer): ServerId => (stored.kind === 'ok' ? stored.config.id : stored.id);

/** How the sealed review record stands to what would run now (S10, T2). */
export type LaunchTrust = 'approved' | 'never-approved' | 'changed-since-approved';

/** What the session of a server is doing. `failed` stays until the next attempt, so that its last words can be read (W6). */
export type SessionState =
  | { kind: 'stopped' }
  | { kind: 'looking'; phase: 'starting' | 'ready' }
  | { kind: 'starting' }
  | { kind: 'connected' }
  | { kind: 'failed'; whileLooking: boolean; problem: string; log: readonly string[]; retryAt?: number };

export interface ServerFacts {
  stored: StoredServer;
  /** For the suggestion of a server that has no short name yet. */
  takenNamespaces: readonly string[];
  /** The sealed switch that the window set: intent in a file alone turns nothing on (S10, X1). */
  switchedOn: boolean;
  trust: LaunchTrust;
  approvedAt: number | null;
  session: SessionState;
  pid: number | null;
  runningSince: number | null;
  /** Absolute path of the program once it was found. */
  realPath: string | null;
  /** Of an address that was approved, its variable filled in (S6). */
  origin?: string | null;
  signIn: SignInState;
  tools: { offered: number; total: number; toReview: number };
  about?: ServerAbout;
}

/** On = the file's intent AND the sealed switch AND a review of what would run now (S10). */
export function isServerOn(stored: StoredServer, sealed: { switchedOn: boolean; trust: LaunchTrust }): boolean {
  return (
    stored.kind === 'ok' &&
    stored.config.namespace !== null &&
    stored.config.enabled &&
    sealed.switchedOn &&
    sealed.trust === 'approved'
  );
}

/** The one projection of a server that every surface prints. */
export function toServerRow(facts: ServerFacts): ServerRow {
  const { stored, approvedAt, pid, runningSince, tools } = facts;
  const sealed = {
    approvedAt,
    pid,
    runningSince,
    signIn: facts.signIn,
    toolsOffered: tools.offered,
    toolsTotal: tools.total,
    toolsToReview: tools.toReview,
    about: facts.about ?? NOTHING_ABOUT,
  };
  if (stored.kind === 'refused') {
    const { id, name, source, addedAt } = stored;
    const status = statusOf(facts);
    return {
      id,
      name,
      source,
      addedAt,
      status,
      namespace: null,
      connection: null,
      enabled: false,
      leaves: false,
      where: '',
      ...sealed,
      limits: { ...DEFAULT_LIMITS },
    };
  }
  const { id, name, namespace, connection, source, addedAt, enabled, limits, wire } = stored.config;
  const endpoint = connection.kind === 'http' ? plainAddress(connection.endpoint, facts.origin ?? null) : null;
  const contacted = connection.kind === 'http' && endpoint !== null ? { ...connection, endpoint } : connection;
  const leaves = leavesThisComputer(contacted);
  const where = whereOf({ ...stored.config, connection: contacted }, facts.realPath);
  return {
    id,
    name,
    namespace,
    connection,
    source,
    addedAt,
    enabled,
    status: statusOf(facts),
    leaves,
    where,
    ...sealed,
    limits,
    ...(wire && { wire }),
  };
}

/** The order of the lines is the order a person would ask in. */
function statusOf(facts: ServerFacts): ServerStatus {
  const { stored, session, takenNamespaces } = facts;
  if (stored.kind === 'refused') return { kind: 'refused', reason: stored.reason };
  const { config } = stored;
  if (config.namespace === null) return { kind: 'needs-name', suggestion: suggestNamespace(config.name, takenNamespaces) };
  if (session.kind === 'looking') return { kind: 'looking', phase: session.phase };
  if (session.kind === 'failed' && session.whileLooking) return downAs(session);
  // Off because what was approved is not what stands there now: the row says so (S3).
  if (!config.enabled) {
    return facts.trust === 'changed-since-approved' ? { kind: 'needs-review', because: facts.trust } : { kind: 'off' };
  }
  if (facts.trust !== 'approved') return { kind: 'needs-review', because: facts.trust };
  if (!facts.switchedOn) return { kind: 'needs-review', because: 'never-approved' };
  if (session.kind === 'failed') return downAs(session);
  if (session.kind === 'starting') return { kind: 'starting' };
  return { kind: 'on', connected: session.kind === 'connected' };
}

function downAs({ problem, log, retryAt }: Extract<SessionState, { kind: 'failed' }>): ServerStatus {
  return { kind: 'failed', problem, log: [...log], ...(retryAt === undefined ? {} : { retryAt }) };
}

/** Host for an address, path for a program (E6, N7). */
export function whereOf(config: ServerConfig, realPath: string | null): string {
  if (config.connection.kind === 'stdio') return realPath ?? config.connection.command;
  const checked = checkEndpoint(config.connection.endpoint);
  if (checked.ok) return checked.value.host;
  // Nothing but the name of the variable is known of this host before it is filled in (S6).
  return /^\$\{[^{}]*\}/.exec(config.connection.endpoint)?.[0] ?? '';
}
