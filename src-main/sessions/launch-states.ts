import { canonicalJson } from '../../src-shared/base/canonical-json';
import { failed, type Result } from '../../src-shared/base/result';
import { connectionForm } from '../../src-shared/servers/launch-rule';
import type { LaunchTrust } from '../../src-shared/servers/server-rows';
import type { Connection, ServerConfig, ServerId } from '../../src-shared/servers/server.schema';
import type { FrozenLaunch } from './launch-plan';

/** How the approval of a server stands to what would run now. */
export interface LaunchState {
  trust: LaunchTrust;
  /** Names the launch a grant is bound to (A1); null while it cannot be worked out. */
  fingerprint: string | null;
  /** Absolute path of the program once it was found. */
  realPath: string | null;
  /** Scheme, host and port with a variable filled in; null for a program, and before an address was approved (S6). */
  origin: string | null;
}

export interface LaunchStateParts {
  configOf(id: ServerId): ServerConfig | null;
  plan(config: ServerConfig): Promise<Result<FrozenLaunch, string>>;
  trust: { launchTrust(id: ServerId, fingerprint: string): LaunchTrust; approvedAt(id: ServerId): number | null };
  changed(): void;
}

const UNKNOWN: LaunchState = { trust: 'never-approved', fingerprint: null, realPath: null, origin: null };

/** Keeps the last look at every server's launch, for rows and for what is offered. The gate looks anew before each start (T2). */
export class LaunchStates {
  readonly #states = new Map<ServerId, { connection: Connection; state: LaunchState }>();
  #looking: Promise<void> = Promise.resolve();

  constructor(private readonly parts: LaunchStateParts) {}

  of(id: ServerId): LaunchState {
    const looked = this.#states.get(id);
    const connection = this.parts.configOf(id)?.connection;
    if (!looked || !connection) return UNKNOWN;
    if (looked.connection === connection || connectionForm(looked.connection) === connectionForm(connection)) return looked.state;
    // Edited since the look: what was found then says nothing of what stands there now, so nothing is open for it (T2, P1).
    return looked.state.trust === 'never-approved' ? UNKNOWN : { ...UNKNOWN, trust: 'changed-since-approved' };
  }

  /** Looks at every launch again, one refresh after another. Starts and contacts nothing. */
  refresh(configs: readonly ServerConfig[]): Promise<void> {
    this.#looking = this.#looking.then(() => this.#refresh(configs));
    return this.#looking;
  }

  async #refresh(configs: readonly ServerConfig[]): Promise<void> {
    const before = this.#summary();
    const looked = await Promise.all(configs.map(async (config) => ({ config, state: await this.#look(config) })));
    this.#states.clear();
    for (const { config, state } of looked) this.#states.set(config.id, { connection: config.connection, state });
    if (this.#summary() !== before) this.parts.changed();
  }

  async #look(config: ServerConfig): Promise<LaunchState> {
    const approvedBefore = this.parts.trust.approvedAt(config.id) !== null;
    // What was never approved needs no look at its files: it is not approved whatever they hold.
    if (!approvedBefore) return UNKNOWN;
    // A file can vanish while it is looked at. One such look must not end all later ones.
    const planned = await this.parts.plan(config).catch(() => failed('It could not be looked at.'));
    if (!planned.ok) return { ...UNKNOWN, trust: 'changed-since-approved' };
    const { fingerprint, start } = planned.value;
    const realPath = start.kind === 'stdio' ? start.program.realPath : null;
    const origin = start.kind === 'http' ? new URL(start.address.url).origin : null;
    return { trust: this.parts.trust.launchTrust(config.id, fingerprint), fingerprint, realPath, origin };
  }

  #summary(): string {
    return canonicalJson([...this.#states].map(([id, { state }]) => [id, { ...state }]));
  }
}
