import { failed, ok, type Result } from '../../src-shared/base/result';
import type { CallHandlers } from '../../src-shared/ipc/contract';

export interface ProgramCallParts {
  lookInShell(command: string): Promise<Result<string, string>>;
  /** One sentence unless a person pressed something just now (A9). */
  noActProblem(): string | null;
}

export function programCalls({ lookInShell, noActProblem }: ProgramCallParts): Pick<CallHandlers, 'programs.lookInShell'> {
  const refused = (message: string) => failed({ code: 'refused' as const, message });
  return {
    'programs.lookInShell': async ({ command }) => {
      const noAct = noActProblem();
      if (noAct !== null) return refused(noAct);
      const found = await lookInShell(command);
      return found.ok ? ok({ path: found.value }) : refused(found.problem);
    },
  };
}
