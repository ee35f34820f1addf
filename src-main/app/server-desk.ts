import type { Result } from '../../src-shared/base/result';
import { idOfStored } from '../../src-shared/servers/server-rows';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { AttachableCatalog } from '../attachments/attachable-catalog';
import type { ApprovalBroker } from '../approvals/approval-broker';
import type { FlowGate } from '../approvals/flow-gate';
import type { Grants } from '../approvals/grants';
import type { ServerStore } from '../servers/server-store';
import type { TrustStore } from '../servers/trust-store';
import type { LaunchReview } from '../sessions/launch-review';
import type { ServerTools } from '../tools/server-tools';
import type { ToolCatalog } from '../tools/tool-catalog';

export interface ServerDeskParts {
  servers: Pick<ServerStore, 'list' | 'setEnabled'>;
  trust: Pick<TrustStore, 'setRouteOn' | 'revokeLaunch' | 'forget' | 'forgetEverything'>;
  broker: Pick<ApprovalBroker, 'settleServer'>;
  grants: Pick<Grants, 'serverStopped' | 'forgetServer' | 'revokeAll'>;
  /** Takes back the trust in every folder. */
  revokeWorkspaces(): Result<void, string>;
  flow: Pick<FlowGate, 'forgetServer'>;
  review: Pick<LaunchReview, 'stopLooking'>;
  catalog: Pick<ToolCatalog, 'forget'>;
  attachables: Pick<AttachableCatalog, 'forget'>;
  serverTools: Pick<ServerTools, 'forget'>;
  /** Turned off in this run whatever the files say; the projection reads it. */
  halted: Set<ServerId>;
  /** Told when that alone has changed. */
  changed(): void;
}

/** What turning a server on, off, revoking and removing it means to all rooms. Each act says null, or why it failed. */
export class ServerDesk {
  constructor(private readonly parts: ServerDeskParts) {}

  turnOn(id: ServerId): string | null {
    const { servers, trust, review } = this.parts;
    // Intent first: a sealed switch without intent is taken back as soon as it is seen.
    const enabled = servers.setEnabled(id, true);
    const sealed = enabled.ok ? trust.setRouteOn(id, true) : enabled;
    review.stopLooking(id);
    if (!sealed.ok) return sealed.problem;
    if (this.parts.halted.delete(id)) this.parts.changed();
    return null;
  }

  turnOff(id: ServerId): string | null {
    this.#stopUsing(id);
    const sealed = this.parts.trust.setRouteOn(id, false);
    const disabled = this.parts.servers.setEnabled(id, false);
    const written = disabled.ok ? sealed : disabled;
    if (written.ok) return null;
    // A file that cannot be written keeps its words, and the server does not keep running (S10, W5).
    this.parts.halted.add(id);
    this.parts.changed();
    return written.problem;
  }

  /** Stopped, and asks before it starts again (T4). */
  revoke(id: ServerId): string | null {
    const problem = this.turnOff(id);
    const forgotten = [this.parts.grants.forgetServer(id), this.parts.trust.revokeLaunch(id)];
    return problem ?? firstProblem(forgotten);
  }

  /** Every server is stopped, and nothing is left of what was ever allowed of one: each asks before it starts again (T4). */
  revokeEverything(): string | null {
    const stopped = this.parts.servers.list().map((stored) => {
      const id = idOfStored(stored);
      if (stored.kind === 'ok') return this.turnOff(id);
      return firstProblem([this.parts.trust.setRouteOn(id, false)]);
    });
    const { grants, trust, revokeWorkspaces } = this.parts;
    const forgotten = [revokeWorkspaces(), grants.revokeAll(), trust.forgetEverything()];
    return stopped.find((problem) => problem !== null) ?? firstProblem(forgotten);
  }

  /** Nothing that was kept under its id is left (S11). */
  forget(id: ServerId): void {
    this.#stopUsing(id);
    this.parts.halted.delete(id);
    this.parts.trust.setRouteOn(id, false);
    this.parts.trust.forget(id);
    this.parts.grants.forgetServer(id);
    this.parts.catalog.forget(id);
    this.parts.attachables.forget(id);
    this.parts.serverTools.forget(id);
  }

  // What waits for an answer about it is settled, and what was allowed of it is over.
  #stopUsing(id: ServerId): void {
    this.parts.broker.settleServer(id);
    this.parts.grants.serverStopped(id);
    this.parts.flow.forgetServer(id);
    this.parts.review.stopLooking(id);
  }
}

function firstProblem(results: readonly Result<void, string>[]): string | null {
  for (const result of results) if (!result.ok) return result.problem;
  return null;
}
