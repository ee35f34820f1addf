import { homedir } from 'node:os';
import type { Clock } from '../../src-shared/base/clock';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { addRunEntries, dropRunEntries } from '../servers/run-entries';
import { openWorkspacesFile, Workspaces } from '../servers/workspaces';
import type { Stores } from './open-stores';

export interface OutsideServerParts {
  folder: string;
  clock: Clock;
  stores: Pick<Stores, 'servers' | 'trust' | 'secrets'>;
  revokeServer(id: ServerId): string | null;
  changed(): void;
}

/** The servers that files of others list: those of opened folders, and those of the file this run was started with (S9, T3). */
export class OutsideServers {
  readonly workspaces: Workspaces;
  readonly #servers: Stores['servers'];
  #runProblems: readonly string[] = [];

  constructor({ folder, clock, stores, revokeServer, changed }: OutsideServerParts) {
    const { servers, trust, secrets } = stores;
    this.#servers = servers;
    this.workspaces = new Workspaces({
      ...{ clock, trust, store: servers, vault: secrets.vault, document: openWorkspacesFile(folder) },
      places: { home: homedir(), ownFolder: folder },
      ...{ revokeServer, changed },
    });
  }

  /** Follows what is open. Starts and contacts nothing. */
  async start(runConfig: string | null): Promise<void> {
    dropRunEntries(this.#servers);
    if (runConfig !== null) this.#runProblems = await addRunEntries(this.#servers, runConfig);
    // A folder on a slow disk keeps no window waiting.
    void this.workspaces.start();
  }

  /** Sentences for the banner. */
  problems(): readonly (string | null)[] {
    return [this.workspaces.problem(), ...this.#runProblems];
  }

  end(): void {
    this.workspaces.end();
    dropRunEntries(this.#servers);
  }
}
