import { systemClock } from '../../src-main/app/system-clock';
import { ChatGrants } from '../../src-main/approvals/chat-grants';
import { GrantStore } from '../../src-main/approvals/grant-store';
import { GrantUses, openUsesFile } from '../../src-main/approvals/grant-uses';
import { Grants } from '../../src-main/approvals/grants';
import { openCounter } from '../../src-main/secrets/keychain-counter';
import { makeSealer } from '../../src-main/secrets/sealer';
import { openTrustFile, SealedRecords } from '../../src-main/servers/sealed-records';

/** Grants as the app keeps them, sealed in a file of this folder. */
export function openBenchGrants(folder: string): Grants {
  const changed = (): void => undefined;
  const records = new SealedRecords({
    document: openTrustFile(folder),
    sealer: makeSealer(Buffer.alloc(32, 7)),
    generation: openCounter({ value: 0, keep: null }),
    clock: systemClock,
  });
  const uses = new GrantUses({ document: openUsesFile(folder), clock: systemClock, changed });
  const lasting = new GrantStore({ records, uses, clock: systemClock, launchInWords: () => 'bench' });
  return new Grants(new ChatGrants({ clock: systemClock, changed }), lasting);
}
