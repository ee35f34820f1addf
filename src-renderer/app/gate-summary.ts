import type { ViewValue } from '../../src-shared/ipc/contract';
import type { ServerRow } from '../../src-shared/servers/server.schema';

export interface GateSummary {
  /** Servers that run or are contacted, also while their tools are only being looked at. */
  on: number;
  /** Open routes that leave this computer. */
  leaves: number;
  waiting: number;
}

/** Whether the switch of a server stands on. One that failed while its tools were only looked at is off again. */
export function isUp({ status, enabled }: Pick<ServerRow, 'status' | 'enabled'>): boolean {
  return status.kind === 'on' || status.kind === 'starting' || status.kind === 'looking' || (status.kind === 'failed' && enabled);
}

/** The three answers of the chip in the title row: what is on, what can leave, what waits. */
export function summariseGate(
  servers: ViewValue<'servers'>,
  egress: ViewValue<'egress'>,
  approvals: ViewValue<'approvals'>,
): GateSummary {
  return {
    on: servers.filter((server) => isUp(server)).length,
    leaves: egress.routes.filter((route) => route.on && route.leaves).length,
    waiting: approvals.length,
  };
}

export function routesOpenSentence(leaves: number): string {
  if (leaves === 0) return 'Right now nothing leaves this computer.';
  return leaves === 1 ? '1 route is open.' : `${leaves} routes are open.`;
}
