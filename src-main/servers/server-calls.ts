import { failed, ok } from '../../src-shared/base/result';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import { limitsProblem } from '../../src-shared/servers/limits-rule';
import type { ServerDraft, ServerId } from '../../src-shared/servers/server.schema';
import { importCalls, type ImportCallParts } from './import-calls';
import type { ServerStore } from './server-store';

export interface ServerCallParts extends ImportCallParts {
  store: Pick<ServerStore, 'takenNamespaces' | 'add' | 'update' | 'setLimits' | 'setWire' | 'remove'>;
  /** Lets the user pick the one folder the sample server will see; null when they pick none. */
  pickFolder(): Promise<string | null>;
  sampleDraft(folder: string): ServerDraft;
  /** Off at once: nothing of it is offered, and nothing of it runs (R2, W5). */
  turnOff(id: ServerId): string | null;
  /** Off, and its approval forgotten (T4). */
  revoke(id: ServerId): string | null;
  /** All of them off, and nothing that was allowed is left (T4). */
  revokeEverything(): string | null;
}

type Handled =
  `servers.${'add' | 'update' | 'setLimits' | 'setWire' | 'remove' | 'addSample' | 'turnOff' | 'revoke' | 'revokeEverything' | 'readImport' | 'readDropped' | 'import'}`;

export function serverCalls(parts: ServerCallParts): Pick<CallHandlers, Handled> {
  const { store } = parts;
  const refused = (message: string) => failed({ code: 'refused' as const, message });
  const done = (problem: string | null) => (problem === null ? ok({}) : refused(problem));

  return {
    ...importCalls(parts),

    'servers.add': async (draft) => {
      const added = store.add(draft, { kind: 'you' });
      return added.ok ? ok({ id: added.value }) : refused(added.problem);
    },

    'servers.update': async ({ id, draft }) => {
      const updated = store.update(id, draft);
      return updated.ok ? ok({}) : refused(updated.problem);
    },

    'servers.setLimits': async ({ id, limits }) => {
      const problem = limitsProblem(limits);
      if (problem !== null) return failed({ code: 'invalid-input' as const, message: problem });
      const set = store.setLimits(id, limits);
      return set.ok ? ok({}) : refused(set.problem);
    },

    'servers.setWire': async ({ id, wire }) => {
      const set = store.setWire(id, wire);
      return set.ok ? ok({}) : refused(set.problem);
    },

    'servers.remove': async ({ id }) => {
      const removed = store.remove(id);
      return removed.ok ? ok({}) : refused(removed.problem);
    },

    'servers.addSample': async () => {
      const folder = await parts.pickFolder();
      if (folder === null) return ok({ id: null });
      const added = store.add(parts.sampleDraft(folder), { kind: 'sample' });
      return added.ok ? ok({ id: added.value }) : refused(added.problem);
    },

    'servers.turnOff': async ({ id }) => done(parts.turnOff(id)),
    'servers.revoke': async ({ id }) => done(parts.revoke(id)),
    'servers.revokeEverything': async () => done(parts.revokeEverything()),
  };
}
