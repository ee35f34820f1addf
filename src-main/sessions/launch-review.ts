import { canonicalJson } from '../../src-shared/base/canonical-json';
import type { Clock } from '../../src-shared/base/clock';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { sha256Hex } from '../../src-shared/base/sha256';
import { leavesThisComputer } from '../../src-shared/servers/endpoint-rule';
import { diffLaunches, planToKeep } from '../../src-shared/servers/launch-diff';
import type { NameMark } from '../../src-shared/servers/name-marks';
import { whereOf } from '../../src-shared/servers/server-rows';
import type { ServerConfig, ServerId } from '../../src-shared/servers/server.schema';
import type { Json } from '../../src-shared/tools/tool.schema';
import type { ApprovalBroker } from '../approvals/approval-broker';
import type { TrustStore } from '../servers/trust-store';
import type { FrozenLaunch } from './launch-plan';

export interface LaunchReviewParts {
  clock: Clock;
  configOf(id: ServerId): ServerConfig | null;
  plan(config: ServerConfig): Promise<Result<FrozenLaunch, string>>;
  broker: Pick<ApprovalBroker, 'ask'>;
  trust: Pick<TrustStore, 'approveLaunch' | 'approvedAt' | 'approvedPlan' | 'launchTrust' | 'mayReachPrivateNetwork'>;
  /** Whether a host is an address inside a private network or of the local link (E7). */
  isPrivateAddress(host: string): boolean;
  /** Whose name its own looks like (N7). */
  looksLike?(id: ServerId): NameMark[];
  /** The set of servers being looked at is another one now. */
  changed(): void;
}

const GONE = 'That server was removed, or its entry is refused. Look at it in Settings, MCP servers.';

/** The launch review, and which servers run only so that their tools can be looked at (T1, R4). That ends with the app. */
export class LaunchReview {
  readonly #looking = new Set<ServerId>();
  readonly #asking = new Set<ServerId>();
  readonly #ledToPrivateNetwork = new Set<ServerId>();

  constructor(private readonly parts: LaunchReviewParts) {}

  looking(): ServerId[] {
    return [...this.#looking];
  }

  isLooking(id: ServerId): boolean {
    return this.#looking.has(id);
  }

  /**
   * Shows exactly what would run, and on a yes seals that and begins to look.
   * An approval that still stands is not asked for again.
   */
  async review(id: ServerId): Promise<Result<{ looking: boolean }, string>> {
    const config = this.parts.configOf(id);
    if (!config) return failed(GONE);
    if (config.namespace === null) return failed(`${config.name} needs a short name first. Give it one on its page.`);
    if (this.#asking.has(id)) return failed(`${config.name} is waiting for your answer already.`);
    this.#asking.add(id);
    return this.#reviewed(config).finally(() => this.#asking.delete(id));
  }

  async #reviewed(config: ServerConfig): Promise<Result<{ looking: boolean }, string>> {
    const { id } = config;
    const planned = await this.parts.plan(config);
    if (!planned.ok) return failed(`${config.name} cannot start as it stands. ${planned.problem}`);
    if (!this.parts.configOf(id)) return failed(GONE);

    const { fingerprint } = planned.value;
    const { trust } = this.parts;
    const wantsMore = this.#ledToPrivateNetwork.has(id) && !trust.mayReachPrivateNetwork(id);
    if (trust.launchTrust(id, fingerprint) !== 'approved' || wantsMore) {
      const settled = await this.#ask(config, planned.value);
      if (settled.kind === 'refused') return ok({ looking: false });
      // Removed from the file while the sheet was up: nothing is to be kept under its id (S11).
      if (!this.parts.configOf(id)) return failed(GONE);
      const kept = planToKeep(planned.value.plan) ?? undefined;
      const sealed = trust.approveLaunch(id, fingerprint, this.parts.clock.now(), settled.privateNetwork === true, kept);
      if (!sealed.ok) return failed(sealed.problem);
    }
    this.#looking.add(id);
    this.parts.changed();
    return ok({ looking: true });
  }

  /** The door refused its host for that: the next review asks (E7). */
  ledToPrivateNetwork(id: ServerId): void {
    this.#ledToPrivateNetwork.add(id);
  }

  /** Looking is over: the server was turned on, turned off, changed or removed. */
  stopLooking(id: ServerId): void {
    if (this.#looking.delete(id)) this.parts.changed();
  }

  #ask(config: ServerConfig, { plan, fingerprint, start }: FrozenLaunch): ReturnType<ApprovalBroker['ask']> {
    const { trust } = this.parts;
    const changedSince = trust.launchTrust(config.id, fingerprint) === 'approved' ? null : trust.approvedAt(config.id);
    const before = changedSince === null ? null : trust.approvedPlan(config.id);
    const looksLike = this.parts.looksLike?.(config.id) ?? [];
    // The address with its variables filled in: that is where it goes (S6).
    const connection =
      config.connection.kind === 'http' && start.kind === 'http'
        ? { ...config.connection, endpoint: start.address.url }
        : config.connection;
    return this.parts.broker.ask({
      kind: 'launch',
      // The fingerprint stands for the frozen values, the plan for what is on the screen: a yes names both (A5).
      digest: sha256Hex(canonicalJson({ fingerprint, plan } as unknown as Json)),
      serverId: config.id,
      serverName: config.name,
      namespace: config.namespace ?? '',
      where: whereOf({ ...config, connection }, start.kind === 'stdio' ? start.program.realPath : null),
      leaves: leavesThisComputer(connection),
      source: config.source,
      addedAt: config.addedAt,
      plan,
      changedSince,
      ...(before && { changes: diffLaunches(before, plan) }),
      ...(looksLike.length > 0 && { looksLike }),
      ...this.#privateNetwork(config.id, start),
    });
  }

  #privateNetwork(id: ServerId, start: FrozenLaunch['start']): { privateNetwork?: 'is' | 'led' } {
    if (start.kind !== 'http') return {};
    const host = new URL(start.address.url).hostname.replace(/^\[|\]$/g, '');
    if (this.parts.isPrivateAddress(host)) return { privateNetwork: 'is' };
    const known = this.#ledToPrivateNetwork.has(id) || this.parts.trust.mayReachPrivateNetwork(id);
    return known ? { privateNetwork: 'led' } : {};
  }
}
