import { failed, ok, type Result } from '../../src-shared/base/result';
import type { CallHandlers, CallProblem } from '../../src-shared/ipc/contract';
import type { Workspaces } from './workspaces';

type Handled = `workspaces.${'open' | 'close' | 'trust' | 'revoke'}`;

export interface WorkspaceCallParts {
  workspaces: Pick<Workspaces, 'open' | 'close' | 'trust' | 'revoke'>;
  /** Lets the user pick the folder; null when they pick none. */
  pickWorkspace(): Promise<string | null>;
  /** Why an act that opens something is refused; null when a person is behind it (A9). */
  noActProblem(): string | null;
}

export function workspaceCalls({ workspaces, pickWorkspace, noActProblem }: WorkspaceCallParts): Pick<CallHandlers, Handled> {
  return {
    'workspaces.open': async () => {
      const picked = await pickWorkspace();
      if (picked === null) return ok({ folder: null });
      const opened = await workspaces.open(picked);
      return opened.ok ? ok({ folder: opened.value }) : refused(opened.problem);
    },
    'workspaces.close': async ({ folder }) => done(workspaces.close(folder)),
    'workspaces.trust': async ({ folder }) => {
      const noAct = noActProblem();
      return noAct === null ? done(workspaces.trust(folder)) : refused(noAct);
    },
    'workspaces.revoke': async ({ folder }) => done(workspaces.revoke(folder)),
  };
}

const refused = (message: string): Result<never, CallProblem> => failed({ code: 'refused', message });
const done = (result: Result<void, string>): Result<Record<string, never>, CallProblem> =>
  result.ok ? ok({}) : refused(result.problem);
