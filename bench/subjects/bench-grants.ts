import { systemClock } from '../../src-main/app/system-clock';
import { ChatGrants } from '../../src-main/approvals/chat-grants';
import { grantIdOf, GrantStore, type LastingFacts } from '../../src-main/approvals/grant-store';
import { GrantUses, openUsesFile } from '../../src-main/approvals/grant-uses';
import { Grants } from '../../src-main/approvals/grants';
import { openCounter } from '../../src-main/secrets/keychain-counter';
import { makeSealer } from '../../src-main/secrets/sealer';
import { openTrustFile, SealedRecords } from '../../src-main/servers/sealed-records';

const changed = (): void => undefined;

const openRecords = (folder: string): SealedRecords =>
  new SealedRecords({
    document: openTrustFile(folder),
    sealer: makeSealer(Buffer.alloc(32, 7)),
    generation: openCounter({ value: 0, keep: null }),
    clock: systemClock,
  });

/** Grants as the app keeps them, sealed in a file of this folder. */
export function openBenchGrants(folder: string): Grants {
  const uses = new GrantUses({ document: openUsesFile(folder), clock: systemClock, changed });
  const records = openRecords(folder);
  const lasting = new GrantStore({ records, uses, clock: systemClock, launchInWords: () => 'bench' });
  return new Grants(new ChatGrants({ clock: systemClock, changed }), lasting);
}

/** Writes many grants at once, as an earlier run of the app would have left them. */
export function storeGrants(folder: string, given: readonly LastingFacts[]): void {
  const records = openRecords(folder);
  const written = records.write(
    'grants',
    ...given.map((facts) => ({ ...facts, id: grantIdOf(facts), boundTo: '/usr/bin/server --stdio', madeAt: 1 })),
  );
  records.close();
  if (!written.ok) throw new Error(written.problem);
}
