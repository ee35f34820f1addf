import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../../src-shared/base/clock';
import type { LedgerRow, RouteUse } from '../../src-shared/egress/egress.schema';
import type { LedgerRecord, ResultRecord } from '../../src-shared/egress/ledger-record.schema';
import { addUse, closeRow, openRow, summariseTally, type UseTally } from '../../src-shared/egress/ledger-summary';
import { openAppendLog } from '../storage/append-log';
import { LedgerChain, type ChainFindings } from './ledger-chain';

/** How many rows are kept in memory for showing. */
export const RECENT_ROWS = 1000;

export interface RequestFacts {
  routeId: string;
  /** Host and port, never a path or a query (P4). */
  host: string;
  method: string;
  conversation: string | null;
}

export type RequestResult = Pick<ResultRecord, 'outcome' | 'status' | 'bytesOut' | 'bytesIn' | 'address'>;

/** The record of everything that was sent, in words that hold no content (P4). */
export interface Ledger {
  /** Stands in the file when this returns; throws when it could not be written, and then nothing goes out. */
  recordAttempt(request: RequestFacts): string;
  recordResult(attempt: string, result: RequestResult): void;
  recordRefused(request: RequestFacts): void;
  /** The latest rows, newest first, at most `RECENT_ROWS`. */
  rows(limit: number): LedgerRow[];
  use(now: number): RouteUse[];
  /** How many requests the file tells of. */
  count(): number;
  /** How many were erased from it before. */
  erasedCount(): number;
  /** Begins a new chain that states how many were erased. Requests still under way are carried over. */
  erase(): number;
  /** One sentence when the file cannot be relied on, else null. */
  chainProblem(): string | null;
  onChange(listener: () => void): () => void;
  close(): void;
}

/** Opens a ledger, checks its chain, and closes the rows that an earlier run left open. */
export function openLedger(parts: { folder: string; name?: string; key: Buffer | null; clock: Clock }): Ledger {
  const name = parts.name ?? 'ledger';
  const log = openAppendLog({ file: join(parts.folder, `${name}.jsonl`) });
  const headLog = openAppendLog({ file: join(parts.folder, `${name}-head.jsonl`) });
  return new FileLedger(new LedgerChain({ log, headLog, key: parts.key, clock: parts.clock }), parts.key !== null, parts.clock);
}

class FileLedger implements Ledger {
  readonly #chain: LedgerChain;
  readonly #clock: Clock;
  readonly #keyKept: boolean;
  readonly #findings: ChainFindings;
  readonly #listeners = new Set<() => void>();
  readonly #run = randomBytes(6).toString('hex');
  #recent = new Map<string, LedgerRow>();
  #open = new Map<string, LedgerRow>();
  #tally: UseTally = new Map();
  #attempts = 0;
  #count = 0;
  #erased = 0;
  #erasedHere = false;
  #unwritten = false;

  constructor(chain: LedgerChain, keyKept: boolean, clock: Clock) {
    this.#chain = chain;
    this.#clock = clock;
    this.#keyKept = keyKept;
    this.#findings = chain.open((record) => this.#take(record));
    for (const row of this.#open.values()) this.#show({ ...row, outcome: 'cut-off' });
    this.#open.clear();
  }

  recordAttempt(request: RequestFacts): string {
    const record = this.#firstRecord('attempt', request);
    this.#write(record);
    return record.attempt;
  }

  recordRefused(request: RequestFacts): void {
    this.#write(this.#firstRecord('refused', request));
  }

  recordResult(attempt: string, result: RequestResult): void {
    const row = this.#open.get(attempt);
    if (!row) return;
    const now = this.#clock.now();
    try {
      const { address, bytesIn, bytesOut, outcome, status } = result;
      this.#write({ address, at: now, attempt, bytesIn, bytesOut, kind: 'result', ms: now - row.at, outcome, status });
    } catch {
      // The request is over, so there is nobody to throw at: the ledger itself says that it is not whole.
      this.#unwritten = true;
    }
  }

  rows(limit: number): LedgerRow[] {
    return limit > 0 ? [...this.#recent.values()].slice(-limit).reverse() : [];
  }

  use(now: number): RouteUse[] {
    return summariseTally(this.#tally, now);
  }

  count(): number {
    return this.#count;
  }

  erasedCount(): number {
    return this.#erased;
  }

  erase(): number {
    const open = [...this.#open.values()];
    const erased = this.#count - open.length;
    const carried = open.map(({ attempt, at, conversation, host, method, routeId }) => {
      return { at, attempt, conversation, host, kind: 'attempt' as const, method, route: routeId };
    });
    this.#chain.restart(this.#erased + erased, carried);
    this.#erased += erased;
    this.#erasedHere = true;
    this.#unwritten = false;
    this.#recent = new Map();
    this.#open = new Map();
    this.#tally = new Map();
    this.#count = 0;
    for (const record of carried) this.#take(record);
    this.#tell();
    return erased;
  }

  chainProblem(): string | null {
    if (this.#unwritten) return 'The last entries could not be written to the ledger file. Check that the disk has room.';
    if (!this.#erasedHere) {
      const { missing, brokenAt, headStrange, brokenBefore, unchecked } = this.#findings;
      if (brokenAt !== null) return `Something other than this app changed the ledger file, first at line ${brokenAt}.`;
      if (missing > 0)
        return `Something other than this app cut ${missing === 1 ? 'a line' : `${missing} lines`} off the ledger file.`;
      if (headStrange) return 'Something other than this app changed the file that holds the length of the ledger.';
      if (brokenBefore) return 'An earlier start of this app found that something else had changed the ledger file.';
      if (this.#keyKept && unchecked > 0) return 'A part of the ledger was written without a keychain, so it cannot be checked.';
    }
    if (!this.#keyKept) return 'There is no keychain in this run, so entries cannot be checked once the app has ended.';
    return null;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#chain.close();
  }

  // Names in order: this object becomes the canonical text of its line.
  #firstRecord<K extends 'attempt' | 'refused'>(kind: K, { routeId, host, method, conversation }: RequestFacts) {
    this.#attempts += 1;
    const attempt = `${this.#run}-${this.#attempts}`;
    return { at: this.#clock.now(), attempt, conversation, host, kind, method, route: routeId };
  }

  #write(record: LedgerRecord): void {
    this.#chain.append(record);
    this.#take(record);
    this.#tell();
  }

  #take(record: LedgerRecord): void {
    if (record.kind === 'start') {
      this.#erased = record.erased;
    } else if (record.kind === 'result') {
      const row = this.#open.get(record.attempt);
      if (!row) return;
      this.#open.delete(record.attempt);
      this.#show(closeRow(row, record));
      addUse(this.#tally, row, { times: 0, bytesOut: record.bytesOut, bytesIn: record.bytesIn });
    } else {
      const row = openRow(record);
      this.#count += 1;
      if (record.kind === 'refused') {
        this.#show({ ...row, outcome: 'refused', ms: 0 });
      } else {
        this.#open.set(row.attempt, row);
        this.#show(row);
        addUse(this.#tally, row, { times: 1, bytesOut: 0, bytesIn: 0 });
      }
    }
  }

  /** A row keeps its place when its result comes, and is let go with the oldest. */
  #show(row: LedgerRow): void {
    const known = this.#recent.has(row.attempt);
    if (!known && row.outcome !== 'open' && row.outcome !== 'refused') return;
    this.#recent.set(row.attempt, row);
    if (this.#recent.size <= RECENT_ROWS) return;
    const [oldest] = this.#recent.keys();
    if (oldest !== undefined) this.#recent.delete(oldest);
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
