import type { Clock } from '../../src-shared/base/clock';
import { openConversationStore, type ConversationStore } from '../conversations/conversation-store';
import { openLedger, type Ledger } from '../egress/ledger';
import { ModelStore, openModelsFile } from '../models/model-store';
import { electronKeychain } from '../secrets/electron-keychain';
import { KnownValues } from '../secrets/known-values';
import { maskSecrets } from '../secrets/mask-secrets';
import { openSecrets, type Secrets } from '../secrets/secrets';
import { openServersFile, ServerStore } from '../servers/server-store';
import { openTrust, type TrustStore } from '../servers/trust-store';

/** What the profile folder holds: it says what should be. */
export interface Stores {
  secrets: Secrets;
  servers: ServerStore;
  trust: TrustStore;
  models: ModelStore;
  conversations: ConversationStore;
  ledger: Ledger;
  /** Takes every secret known by now out of a text (S5). */
  mask(text: string): string;
  /** From now on these values of variables are taken out as well (S6). */
  alsoMask(values: readonly string[]): void;
  close(): Promise<void>;
}

/** Opens every store of one profile folder; what cannot be read is told by the store itself (S4). */
export async function openStores(parts: { folder: string; keychainScript: string; clock: Clock }): Promise<Stores> {
  const { folder, keychainScript, clock } = parts;
  const secrets = await openSecrets({ folder, keychain: electronKeychain({ script: keychainScript, clock }) });
  const known = new KnownValues(() => secrets.vault.knownValues());
  const servers = new ServerStore({ document: openServersFile(folder), vault: secrets.vault, clock });
  const trust = openTrust({ folder, secrets, clock });
  const models = new ModelStore({ document: openModelsFile(folder), vault: secrets.vault, trust, clock });
  const conversations = openConversationStore({ folder, clock });
  const ledger = openLedger({ folder, key: secrets.state === 'ready' ? secrets.keyFor('ledger') : null, clock });
  return {
    ...{ secrets, servers, trust, models, conversations, ledger },
    mask: (text) => maskSecrets(text, known.all()),
    alsoMask: (values) => known.add(values),
    async close() {
      await secrets.trustGeneration.settled();
      for (const store of [servers, trust, models, conversations, ledger]) store.close();
    },
  };
}
