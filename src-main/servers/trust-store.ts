import type { LaunchPlan } from '../../src-shared/approvals/approval.schema';
import type { Clock } from '../../src-shared/base/clock';
import { failed, type Result } from '../../src-shared/base/result';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { LaunchTrust } from '../../src-shared/servers/server-rows';
import type { Counter } from '../secrets/keychain-counter';
import type { Sealer } from '../secrets/sealer';
import type { Secrets } from '../secrets/secrets';
import type { JsonDocument } from '../storage/json-document';
import { memoryDocument } from '../storage/memory-document';
import { NO_CHOICES, readChoices, toChoicesRecord, type ToolChoices } from './review-records';
import { EMPTY_TRUST_FILE, openTrustFile, SealedRecords, type TrustFile, type UnsealedRecord } from './sealed-records';

/** The trust store of a profile. Without the master key it lasts for this run, and the file stays as it is for the next (S5). */
export function openTrust(parts: {
  folder: string;
  secrets: Pick<Secrets, 'state' | 'sealer' | 'trustGeneration'>;
  clock: Clock;
}): TrustStore {
  const { state, sealer, trustGeneration } = parts.secrets;
  const document = state === 'ready' ? openTrustFile(parts.folder) : memoryDocument(EMPTY_TRUST_FILE);
  return new TrustStore({ document, sealer, generation: trustGeneration, clock: parts.clock });
}

/** What the user approved in the window (S10). */
export class TrustStore {
  /** Where it stands, for what is sealed beside it. */
  readonly records: SealedRecords;

  constructor(parts: { document: JsonDocument<TrustFile>; sealer: Sealer; generation: Counter; clock: Clock }) {
    this.records = new SealedRecords(parts);
  }

  approveLaunch(id: ServerId, fingerprint: string, at: number, privateNetwork = false, plan?: LaunchPlan): Result<void, string> {
    const own = { ...(privateNetwork && { privateNetwork }), ...(plan && { plan }) };
    return this.records.write('launches', { id, fingerprint, approvedAt: at, ...own });
  }

  /** What was on the screen when it was approved; null where it was too long to be kept (T2). */
  approvedPlan(id: ServerId): LaunchPlan | null {
    return this.records.read('launches', id)?.plan ?? null;
  }

  /** Whether the approval of its launch holds a yes to addresses inside a private network (E7). */
  mayReachPrivateNetwork(id: ServerId): boolean {
    return this.records.read('launches', id)?.privateNetwork === true;
  }

  launchTrust(id: ServerId, fingerprint: string): LaunchTrust {
    const record = this.records.read('launches', id);
    if (record === null) return 'never-approved';
    return record.fingerprint === fingerprint ? 'approved' : 'changed-since-approved';
  }

  approvedAt(id: ServerId): number | null {
    return this.records.read('launches', id)?.approvedAt ?? null;
  }

  /** Takes back the approval alone: the server asks before it starts again, and its reviewed tools stay reviewed (T4). */
  revokeLaunch(id: ServerId): Result<void, string> {
    return this.records.drop('launches', id);
  }

  choices(id: ServerId): ToolChoices {
    const record = this.records.read('choices', id);
    return record === null ? NO_CHOICES : readChoices(record);
  }

  saveChoices(id: ServerId, choices: ToolChoices): Result<void, string> {
    return this.records.write('choices', toChoicesRecord(id, choices));
  }

  /** Switches one reviewed tool on or off. One that was never reviewed has no definition to stand for, so it stays off. */
  setOffered(id: ServerId, rawName: string, offered: boolean): Result<void, string> {
    const choices = this.choices(id);
    const pinned = choices.tools.get(rawName);
    if (!pinned) return failed('Look at this tool on its server’s page first, then switch it on.');
    return this.saveChoices(id, { ...choices, tools: new Map([...choices.tools, [rawName, { ...pinned, offered }]]) });
  }

  /** Whether the window switched this on. `key` names what is meant exactly: a server by id, a model by id and address. */
  isRouteOn(key: string): boolean {
    return this.records.read('switches', key) !== null;
  }

  setRouteOn(key: string, on: boolean): Result<void, string> {
    return on ? this.records.write('switches', { id: key, on }) : this.records.drop('switches', key);
  }

  /** Everything that was ever approved of a server; its switch has a key of its own (S11). */
  forget(id: ServerId): Result<void, string> {
    const dropped = this.records.drop('launches', id);
    return dropped.ok ? this.records.drop('choices', id) : dropped;
  }

  /** Every approval and every review of tools, of all servers, in one step; the switches go with their servers (T4). */
  forgetEverything(): Result<void, string> {
    return this.records.clear('launches', 'choices');
  }

  /** Every server that something is kept of. */
  knownServers(): ServerId[] {
    const kept = [...this.records.all('launches'), ...this.records.all('choices')].map(({ id }) => id);
    return [...new Set([...kept, ...this.records.all('grants').map(({ serverId }) => serverId)])];
  }

  needsReview(): readonly UnsealedRecord[] {
    return this.records.needsReview();
  }

  problem(): string | null {
    return this.records.problem();
  }

  onChange(listener: () => void): () => void {
    return this.records.onChange(listener);
  }

  close(): void {
    this.records.close();
  }
}
