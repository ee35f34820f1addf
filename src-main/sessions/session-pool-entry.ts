import type { Result } from '../../src-shared/base/result';
import type { ServerConfig, ServerLogLine } from '../../src-shared/servers/server.schema';
import type { McpSession } from './mcp-session';
import type { ServerLog } from './server-log';
import type { SessionProblem } from './session-problem';

/** What the stores say a server should be (R4). Only `looking` and `on` are ever contacted. */
export type ServerWish = 'off' | 'looking' | 'on';

export type SessionStatus =
  | { kind: 'idle' }
  | { kind: 'starting' }
  | { kind: 'connected'; pid: number | null; since: number }
  | { kind: 'failed'; problem: SessionProblem; log: readonly ServerLogLine[]; retryAt: number };

/** What the pool holds of one server. */
export interface PoolEntry {
  wish: ServerWish;
  status: SessionStatus;
  log: ServerLog;
  session: McpSession | undefined;
  /** What the running session was made from; another value means that it must go. */
  madeFrom: string;
  starting: Promise<Result<McpSession, SessionProblem>> | undefined;
  stopStarting: AbortController | undefined;
  stopping: Promise<void> | undefined;
  failures: number;
  cancelIdle: (() => void) | undefined;
}

/** What a session is made from: another value means another session. */
export function formOf(config: ServerConfig | null): string {
  return config ? JSON.stringify([config.connection, config.limits, config.wire]) : '';
}
