import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { ok, type Result } from '../../src-shared/base/result';
import { RouteIdSchema } from '../../src-shared/egress/egress.schema';
import { DEFAULT_LIMITS, type ServerLimits } from '../../src-shared/servers/server.schema';
import { systemClock } from '../../src-main/app/system-clock';
import { openSession, type McpSession, type SessionParts } from '../../src-main/sessions/mcp-session';
import { ServerLog } from '../../src-main/sessions/server-log';
import { createLink } from '../../src-main/sessions/session-pool-link';
import type { SessionProblem } from '../../src-main/sessions/session-problem';
import { ScriptedDoor } from './scripted-server-door';

const fixtures = resolve(import.meta.dirname, '../fixtures');

export interface ProgramSessionOptions {
  mode?: string;
  args?: string[];
  limits?: Partial<ServerLimits>;
  parts?: Partial<SessionParts>;
}

/** Opens a session with a real program, and counts how often it was started. */
export async function openProgram(
  file: string,
  options: ProgramSessionOptions = {},
): Promise<{ opened: Result<McpSession, SessionProblem>; starts: () => number }> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  let starts = 0;
  const ending: Promise<void>[] = [];
  const opened = await openSession({
    serverName: 'Notes',
    limits,
    clock: systemClock,
    onEnding: (ended) => void ending.push(ended),
    link: async () => {
      starts += 1;
      const env = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', MODE: options.mode ?? '' };
      const program = { realPath: process.execPath, args: [file, ...(options.args ?? [])], cwd: fixtures, env };
      return ok(
        createLink({
          serverName: 'Notes',
          routeId: RouteIdSchema.parse('server-test'),
          launch: {
            fingerprint: 'f',
            plan: { kind: 'http', host: '', address: [], headers: [], flags: [] },
            start: { kind: 'stdio', program },
          },
          maxReplyBytes: limits.maxReplyBytes,
          door: new ScriptedDoor(() => ({ status: 500 })),
          clock: systemClock,
          log: new ServerLog({ now: () => Date.now(), mask: (text) => text }),
        }),
      );
    },
    ...options.parts,
  });
  onTestFinished(async () => {
    if (opened.ok) await opened.value.close();
    await Promise.all(ending);
  });
  return { opened, starts: () => starts };
}
