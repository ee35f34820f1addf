import { canonicalJson } from '../../src-shared/base/canonical-json';
import type { Result } from '../../src-shared/base/result';
import type { LaunchTrust } from '../../src-shared/servers/server-rows';
import type { ServerConfig, ServerId } from '../../src-shared/servers/server.schema';
import type { Json } from '../../src-shared/tools/tool.schema';
import type { FrozenLaunch } from './launch-plan';

/** How the approval of a server stands to what would run now. */
export interface LaunchState {
  trust: LaunchTrust;
  /** Names the launch a grant is bound to (A1); null while it cannot be worked out. */
  fingerprint: string | null;
  /** Absolute path of the program once it was found. */
  realPath: string | null;
}

export interface LaunchStateParts {
  plan(config: ServerConfig): Promise<Result<FrozenLaunch, string>>;
  trust: { launchTrust(id: ServerId, fingerprint: string): LaunchTrust; approvedAt(id: ServerId): number | null };
  changed(): void;
}

const UNKNOWN: LaunchState = { trust: 'never-approved', fingerprint: null, realPath: null };

/** Keeps the last look at every server's launch, for rows and for what is offered. The gate looks anew before each start (T2). */
export class LaunchStates {
  readonly #states = new Map<ServerId, LaunchState>();
  #looking: Promise<void> = Promise.resolve();

  constructor(private readonly parts: LaunchStateParts) {}

  of(id: ServerId): LaunchState {
    return this.#states.get(id) ?? UNKNOWN;
  }

  /** Looks at every launch again, one refresh after another. Starts and contacts nothing. */
  refresh(configs: readonly ServerConfig[]): Promise<void> {
    this.#looking = this.#looking.then(() => this.#refresh(configs));
    return this.#looking;
  }

  async #refresh(configs: readonly ServerConfig[]): Promise<void> {
    const before = this.#summary();
    const looked = await Promise.all(configs.map(async (config) => [config.id, await this.#look(config)] as const));
    this.#states.clear();
    for (const [id, state] of looked) this.#states.set(id, state);
    if (this.#summary() !== before) this.parts.changed();
  }

  async #look(config: ServerConfig): Promise<LaunchState> {
    const approvedBefore = this.parts.trust.approvedAt(config.id) !== null;
    // What was never approved needs no look at its files: it is not approved whatever they hold.
    if (!approvedBefore) return UNKNOWN;
    const planned = await this.parts.plan(config);
    if (!planned.ok) return { ...UNKNOWN, trust: 'changed-since-approved' };
    const { fingerprint, start } = planned.value;
    const realPath = start.kind === 'stdio' ? start.program.realPath : null;
    return { trust: this.parts.trust.launchTrust(config.id, fingerprint), fingerprint, realPath };
  }

  #summary(): string {
    return canonicalJson([...this.#states] as unknown as Json);
  }
}
