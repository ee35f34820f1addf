import { failed, ok, type Result } from '../../src-shared/base/result';
import type { CallHandlers, CallProblem } from '../../src-shared/ipc/contract';
import type { ModelStore } from './model-store';

type Handled = `models.${'add' | 'update' | 'remove' | 'setOn'}`;

export interface ModelCallParts {
  store: Pick<ModelStore, 'add' | 'update' | 'remove' | 'setOn'>;
  /** Why an act that opens something is refused; null when a person is behind it (A9). */
  noActProblem(): string | null;
}

export function modelCalls({ store, noActProblem }: ModelCallParts): Pick<CallHandlers, Handled> {
  return {
    'models.add': async (draft) => {
      const added = store.add(draft);
      return added.ok ? ok({ id: added.value }) : refused(added.problem);
    },
    'models.update': async ({ id, draft }) => done(store.update(id, draft)),
    'models.remove': async ({ id }) => done(store.remove(id)),
    'models.setOn': async ({ id, on }) => {
      const noAct = on ? noActProblem() : null;
      return noAct === null ? done(store.setOn(id, on)) : refused(noAct);
    },
  };
}

const refused = (message: string): Result<never, CallProblem> => failed({ code: 'refused', message });
const done = (result: Result<void, string>): Result<Record<string, never>, CallProblem> =>
  result.ok ? ok({}) : refused(result.problem);
