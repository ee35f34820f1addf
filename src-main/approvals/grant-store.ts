import type { GrantId } from '../../src-shared/approvals/grant.schema';
import type { Clock } from '../../src-shared/base/clock';
import type { Digest } from '../../src-shared/base/digest.schema';
import { ok, type Result } from '../../src-shared/base/result';
import { sha256Hex } from '../../src-shared/base/sha256';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { CallerKind } from '../../src-shared/tools/tool.schema';
import type { GrantRecord, SealedRecords } from '../servers/sealed-records';
import type { GrantUse, GrantUses } from './grant-uses';

/** What "always for this tool" covers: one tool of one server for one kind of caller, as it was when allowed (A1). */
export interface LastingFacts {
  caller: CallerKind;
  serverId: ServerId;
  rawName: string;
  fingerprint: string;
  definition: Digest;
}

/** What stands now of the two things a grant is bound to; null for what is not known at the moment. */
export interface BoundNow {
  /** Of the launch that is approved. */
  fingerprint: string | null;
  /** Of the definition its server lists. */
  definition: Digest | null;
}

/** One grant as it was sealed, with what came of it. */
export interface LastingGrant extends GrantRecord {
  id: GrantId;
  use: GrantUse | null;
}

export interface GrantStoreParts {
  records: Pick<SealedRecords, 'read' | 'all' | 'write' | 'drop' | 'clear' | 'needsReview'>;
  uses: Pick<GrantUses, 'of' | 'note' | 'forget'>;
  clock: Pick<Clock, 'now'>;
  /** What a server runs or contacts, in words. */
  launchInWords(id: ServerId): string;
}

/** Grants that outlast the app, each sealed with the master key (S10). There is no wildcard, and none covers more than one tool. */
export class GrantStore {
  constructor(private readonly parts: GrantStoreParts) {}

  covers(facts: LastingFacts): boolean {
    const record = this.parts.records.read('grants', grantIdOf(facts));
    return (
      record !== null &&
      record.ended === undefined &&
      record.fingerprint === facts.fingerprint &&
      record.definition === facts.definition
    );
  }

  allow(facts: LastingFacts): Result<void, string> {
    const { caller, serverId, rawName, fingerprint, definition } = facts;
    const id = grantIdOf(facts);
    const boundTo = this.parts.launchInWords(serverId);
    const madeAt = this.parts.clock.now();
    this.parts.uses.forget([id]);
    return this.parts.records.write('grants', { id, caller, serverId, rawName, fingerprint, definition, boundTo, madeAt });
  }

  /** Counts one call that it let through. */
  noteUse(facts: LastingFacts): void {
    this.parts.uses.note(grantIdOf(facts));
  }

  /** Those whose seal holds, ended ones among them. */
  list(): LastingGrant[] {
    return this.parts.records.all('grants').map((record) => {
      const id = record.id as GrantId;
      return { ...record, id, use: this.parts.uses.of(id) };
    });
  }

  /** How many stand in the file without a seal that holds; they allow nothing (S10). */
  unsealed(): number {
    return this.parts.records.needsReview().filter(({ kind }) => kind === 'grant').length;
  }

  /** Ends those whose launch or definition is another one now. They stay listed, and do not come back when it changes back (R4). */
  endChanged(boundNow: (serverId: ServerId, rawName: string) => BoundNow): void {
    const ended = this.parts.records.all('grants').flatMap((record) => {
      if (record.ended !== undefined) return [];
      const why = endOf(record, boundNow(record.serverId, record.rawName));
      return why === null ? [] : [{ ...record, ended: why }];
    });
    if (ended.length > 0) this.parts.records.write('grants', ...ended);
  }

  revoke(id: GrantId): Result<void, string> {
    return this.#drop((grant) => grant.id === id);
  }

  /** The policy of a tool is "Ask" again, whoever calls. */
  revokeTool(serverId: ServerId, rawName: string): Result<void, string> {
    return this.#drop((grant) => grant.serverId === serverId && grant.rawName === rawName);
  }

  /** Removing a server, or taking back its approval, leaves no grant of it (S11, T4). */
  forgetServer(id: ServerId): Result<void, string> {
    return this.#drop((grant) => grant.serverId === id);
  }

  /** Takes those along that do not hold. */
  forgetAll(): Result<void, string> {
    this.parts.uses.forget(this.list().map(({ id }) => id));
    return this.parts.records.clear('grants');
  }

  #drop(matches: (grant: LastingGrant) => boolean): Result<void, string> {
    const ids = this.list().flatMap((grant) => (matches(grant) ? [grant.id] : []));
    if (ids.length === 0) return ok(undefined);
    this.parts.uses.forget(ids);
    return this.parts.records.drop('grants', ...ids);
  }
}

/** Why what a grant is bound to is gone; null while it stands, or while nothing is known of it. */
export function endOf(
  { fingerprint, definition }: Pick<LastingFacts, 'fingerprint' | 'definition'>,
  now: BoundNow,
): 'launch-changed' | 'tool-changed' | null {
  if (now.fingerprint !== null && now.fingerprint !== fingerprint) return 'launch-changed';
  return now.definition !== null && now.definition !== definition ? 'tool-changed' : null;
}

/** An id for the window; what it was made from does not have to be told to it. */
export const grantIdFrom = (key: string): GrantId => `grant-${sha256Hex(key).slice(0, 32)}` as GrantId;

/** What a lasting grant is kept under. An array, so that no field's text can pass for the border between two. */
export const grantIdOf = ({ serverId, rawName, caller }: Pick<LastingFacts, 'serverId' | 'rawName' | 'caller'>): GrantId =>
  grantIdFrom(JSON.stringify([serverId, rawName, caller]));
