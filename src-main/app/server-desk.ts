import type { ServerId } from '../../src-shared/servers/server.schema';
import type { AttachableCatalog } from '../attachments/attachable-catalog';
import type { ApprovalBroker } from '../approvals/approval-broker';
import type { ChatGrants } from '../approvals/chat-grants';
import type { FlowGate } from '../approvals/flow-gate';
import type { ServerStore } from '../servers/server-store';
import type { TrustStore } from '../servers/trust-store';
import type { LaunchReview } from '../sessions/launch-review';
import type { ServerTools } from '../tools/server-tools';
import type { ToolCatalog } from '../tools/tool-catalog';

export interface ServerDeskParts {
  servers: Pick<ServerStore, 'setEnabled'>;
  trust: Pick<TrustStore, 'setRouteOn' | 'revokeLaunch' | 'forget'>;
  broker: Pick<ApprovalBroker, 'settleServer'>;
  grants: Pick<ChatGrants, 'forgetServer'>;
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
    const revoked = this.parts.trust.revokeLaunch(id);
    return problem ?? (revoked.ok ? null : revoked.problem);
  }

  /** Nothing that was kept under its id is left (S11). */
  forget(id: ServerId): void {
    this.#stopUsing(id);
    this.parts.halted.delete(id);
    this.parts.trust.setRouteOn(id, false);
    this.parts.trust.forget(id);
    this.parts.catalog.forget(id);
    this.parts.attachables.forget(id);
    this.parts.serverTools.forget(id);
  }

  // What waits for an answer about it is settled, and what was allowed of it is over.
  #stopUsing(id: ServerId): void {
    this.parts.broker.settleServer(id);
    this.parts.grants.forgetServer(id);
    this.parts.flow.forgetServer(id);
    this.parts.review.stopLooking(id);
  }
}
