import { ChatGrants } from '../../src-main/approvals/chat-grants';
import { GrantStore } from '../../src-main/approvals/grant-store';
import { EMPTY_USES, GrantUses } from '../../src-main/approvals/grant-uses';
import { Grants } from '../../src-main/approvals/grants';
import { EMPTY_TRUST_FILE, SealedRecords } from '../../src-main/servers/sealed-records';
import { memoryDocument } from '../../src-main/storage/memory-document';
import { FakeClock } from './fake-clock';
import { fakeSealer } from './fake-sealer';
import { runCounter } from './run-counter';

/** Grants that work and last for one test. */
export function memoryGrants(clock = new FakeClock()): Grants {
  const changed = (): void => undefined;
  const records = new SealedRecords({
    document: memoryDocument(EMPTY_TRUST_FILE),
    sealer: fakeSealer(),
    generation: runCounter(),
    clock,
  });
  const uses = new GrantUses({ document: memoryDocument(EMPTY_USES), clock, changed });
  const lasting = new GrantStore({ records, uses, clock, launchInWords: (id) => `/usr/bin/${id} --stdio` });
  return new Grants(new ChatGrants({ clock, changed }), lasting);
}
