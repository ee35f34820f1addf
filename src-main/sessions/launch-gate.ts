import { failed, ok, type Result } from '../../src-shared/base/result';
import type { LaunchTrust } from '../../src-shared/servers/server-rows';
import type { ServerConfig, ServerId } from '../../src-shared/servers/server.schema';
import type { FrozenLaunch } from './launch-plan';
import type { SessionProblem } from './session-problem';

export interface LaunchGateParts {
  configOf(id: ServerId): ServerConfig | null;
  plan(config: ServerConfig): Promise<Result<FrozenLaunch, string>>;
  launchTrust(id: ServerId, fingerprint: string): LaunchTrust;
  /** One sentence while what the user decided cannot be read; nothing new starts on the strength of an older reading (S4). */
  storeProblem(config: ServerConfig): string | null;
}

/** A launch that may go ahead: the entry and the very values its approval stands for. */
export interface Admission {
  config: ServerConfig;
  launch: FrozenLaunch;
}

/** Lets a server start only as it was approved: planned now, compared now, and started with the planned values (T1, T2). */
export class LaunchGate {
  readonly #parts: LaunchGateParts;

  constructor(parts: LaunchGateParts) {
    this.#parts = parts;
  }

  async admit(id: ServerId): Promise<Result<Admission, SessionProblem>> {
    const config = this.#parts.configOf(id);
    if (!config) return failed({ kind: 'refused', message: 'This server was removed.' });
    const unread = this.#parts.storeProblem(config);
    if (unread !== null) return failed({ kind: 'refused', message: `${config.name} was not started. ${unread}` });
    const planned = await this.#parts.plan(config);
    if (!planned.ok) return failed({ kind: 'refused', message: `${config.name} was not started. ${planned.problem}` });
    switch (this.#parts.launchTrust(id, planned.value.fingerprint)) {
      case 'approved':
        return ok({ config, launch: planned.value });
      case 'never-approved':
        return failed({ kind: 'refused', message: `${config.name} has not been approved. Review it in Settings, MCP servers.` });
      case 'changed-since-approved':
        return failed({
          kind: 'refused',
          message: `${config.name} changed since you approved it. Review it again in Settings, MCP servers.`,
        });
    }
  }
}
