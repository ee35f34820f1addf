import { offersFor } from '../../src-shared/approvals/approval-rule';
import type { Digest } from '../../src-shared/base/digest.schema';
import { failed, ok, type Result } from '../../src-shared/base/result';
import { toVisibleText, visibleToString } from '../../src-shared/base/visible-text';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { ToolClaims } from '../../src-shared/tools/tool.schema';
import type { Grants } from './grants';

export interface GrantCallParts {
  grants: Pick<Grants, 'revoke' | 'revokeAll' | 'lasting'>;
  /** A reviewed tool that is on offer, with what it is bound to; null for any other. */
  offeredTool(id: ServerId, rawName: string): { digest: Digest; claims: ToolClaims; fingerprint: string } | null;
  /** Why an act that opens something is refused; null when a person is behind it (A9). */
  noActProblem(): string | null;
}

type Handled = `grants.${'revoke' | 'revokeAll' | 'setPolicy'}`;

/** Calls of the Grants page, and of the policy beside each tool of a server. Taking back needs no more than the call. */
export function grantCalls({ grants, offeredTool, noActProblem }: GrantCallParts): Pick<CallHandlers, Handled> {
  const refused = (message: string) => failed({ code: 'refused' as const, message });
  const done = (written: Result<void, string>) => (written.ok ? ok({}) : refused(written.problem));

  return {
    'grants.revoke': async ({ id }) => done(grants.revoke(id)),
    'grants.revokeAll': async () => done(grants.revokeAll()),

    'grants.setPolicy': async ({ serverId, rawName, policy, digest }) => {
      if (policy === 'ask') return done(grants.lasting.revokeTool(serverId, rawName));
      const noAct = noActProblem();
      if (noAct !== null) return refused(noAct);
      const name = visibleToString(toVisibleText(rawName));
      const tool = offeredTool(serverId, rawName);
      if (!tool) return refused(`${name} is not on. Turn it on first.`);
      if (tool.digest !== digest) return refused(`${name} changed while it was on the screen. Look at it again.`);
      const { claims, fingerprint } = tool;
      const offers = offersFor({ reviewed: true, grant: 'none', caller: 'model', claims });
      if (!offers.includes('always')) return refused(`${name} asks every time, because its server calls it destructive.`);
      return done(grants.lasting.allow({ caller: 'model', serverId, rawName, fingerprint, definition: digest }));
    },
  };
}
