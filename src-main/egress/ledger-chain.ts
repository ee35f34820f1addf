import { createHmac, createSecretKey, randomBytes, timingSafeEqual, type KeyObject } from 'node:crypto';
import {
  LedgerHeadSchema,
  LedgerLineSchema,
  type LedgerHead,
  type LedgerRecord,
  type StartRecord,
} from '../../src-shared/egress/ledger-record.schema';
import type { Clock } from '../../src-shared/base/clock';
import type { AppendLog } from '../storage/append-log';

const NO_LINE_BEFORE = '0'.repeat(64);
/** The head file grows by a line, and is cut back to its last one this often. */
const HEAD_LINES_KEPT = 1024;
/** How far the head can lie behind. Lines cut off in this time after they were written are not missed. */
export const HEAD_DELAY_MS = 200;

/** What the walk over an existing ledger found. */
export interface ChainFindings {
  /** Number of the first line that does not hold, from 1. */
  brokenAt: number | null;
  /** Lines that the head file knows of and the ledger no longer has. */
  missing: number;
  /** The head file is gone, or does not belong to this ledger. */
  headStrange: boolean;
  /** An earlier start of the app wrote down that the chain did not hold. */
  brokenBefore: boolean;
  /** Lines sealed with a key that this run does not have. */
  unchecked: number;
}

/** The ledger file as a chain of sealed lines: each seal covers the seal before it, so that no line can be changed, moved or left out. */
export class LedgerChain {
  readonly #log: AppendLog;
  readonly #headLog: AppendLog;
  readonly #key: KeyObject;
  readonly #keyKind: StartRecord['key'];
  readonly #clock: Clock;
  #cancelHead: (() => void) | undefined;
  #mac = NO_LINE_BEFORE;
  #count = 0;
  #headLines = 0;

  /** `key` null means that there is no keychain: this run seals with a key that ends with it. */
  constructor(parts: { log: AppendLog; headLog: AppendLog; key: Buffer | null; clock: Clock }) {
    this.#log = parts.log;
    this.#headLog = parts.headLog;
    this.#clock = parts.clock;
    this.#key = createSecretKey(parts.key ?? randomBytes(32));
    this.#keyKind = parts.key ? 'kept' : 'this-run';
  }

  /** Checks what is there, hands each readable record to `visit`, and begins a new chain where the old one cannot go on. */
  open(visit: (record: LedgerRecord) => void): ChainFindings {
    const lines = this.#log.lines();
    const findings: ChainFindings = { brokenAt: null, missing: 0, headStrange: false, brokenBefore: false, unchecked: 0 };
    let chainKey: StartRecord['key'] | null = null;
    let erased = 0;
    const head = readHead(this.#headLog.lines().at(-1));
    let macAtHead = NO_LINE_BEFORE;

    for (const [index, line] of lines.entries()) {
      const read = readLine(line);
      if (!read) {
        findings.brokenAt ??= index + 1;
        continue;
      }
      const { mac, text, record } = read;
      if (record.kind === 'start') {
        chainKey = record.key;
        erased = record.erased;
        findings.brokenBefore ||= record.afterBreak;
      }
      visit(record);
      const checkable = chainKey === 'kept' && this.#keyKind === 'kept';
      if (!checkable) findings.unchecked += 1;
      // A ledger begins with a start record: without one its first lines were cut.
      const holds = checkable ? sameText(this.#seal(this.#mac + text), mac) : chainKey !== null;
      if (!holds) findings.brokenAt ??= index + 1;
      this.#mac = mac;
      if (head?.count === index + 1) macAtHead = mac;
    }
    this.#count = lines.length;
    if (!head) findings.headStrange = lines.length > 0;
    else if (chainKey === 'kept' && this.#keyKind === 'kept' && !this.#isOwnHead(head)) findings.headStrange = true;
    else if (head.count > lines.length) findings.missing = head.count - lines.length;
    // The ledger runs ahead of its head; nobody without the key can have written the lines between.
    else findings.headStrange = head.head !== macAtHead;

    const broken = findings.brokenAt !== null || findings.missing > 0 || findings.headStrange;
    if (broken || chainKey !== 'kept' || this.#keyKind !== 'kept') {
      this.append(this.#start(erased, broken, findings.missing));
    }
    this.#keepOneHeadLine();
    return findings;
  }

  append(record: LedgerRecord): void {
    const { line, mac } = this.#sealLine(record, this.#mac);
    this.#log.append(line);
    this.#mac = mac;
    this.#count += 1;
    this.#cancelHead ??= this.#clock.after(HEAD_DELAY_MS, () => this.#writeHeadLater());
  }

  /** Replaces everything by a new chain. */
  restart(erased: number, records: readonly LedgerRecord[]): void {
    let last = NO_LINE_BEFORE;
    const lines = [this.#start(erased, false, 0), ...records].map((record) => {
      const { line, mac } = this.#sealLine(record, last);
      last = mac;
      return line;
    });
    this.#log.rewrite(lines);
    this.#mac = last;
    this.#count = lines.length;
    this.#keepOneHeadLine();
  }

  close(): void {
    if (this.#cancelHead) {
      this.#cancelHead();
      this.#writeHead();
    }
    this.#log.close();
    this.#headLog.close();
  }

  #start(erased: number, afterBreak: boolean, missing: number): StartRecord {
    return { afterBreak, at: this.#clock.now(), erased, key: this.#keyKind, kind: 'start', missing };
  }

  #writeHeadLater(): void {
    try {
      this.#writeHead();
    } catch {
      // A head that lies behind is no harm: the next entry asks for it again, and fails by itself if the disk is full.
    }
  }

  #writeHead(): void {
    this.#cancelHead = undefined;
    if (this.#headLines >= HEAD_LINES_KEPT) return this.#keepOneHeadLine();
    this.#headLog.append(this.#headLine());
    this.#headLines += 1;
  }

  #keepOneHeadLine(): void {
    this.#headLog.rewrite([this.#headLine()]);
    this.#headLines = 1;
  }

  #headLine(): string {
    return `{"count":${this.#count},"head":"${this.#mac}","mac":"${this.#sealHead(this.#count, this.#mac)}"}`;
  }

  #sealLine(record: LedgerRecord, macBefore: string): { line: string; mac: string } {
    // Canonical, because every record is flat and is made with its names in order.
    const text = JSON.stringify(record);
    const mac = this.#seal(macBefore + text);
    return { line: `{"mac":"${mac}","record":${text}}`, mac };
  }

  #isOwnHead({ count, head, mac }: LedgerHead): boolean {
    return sameText(this.#sealHead(count, head), mac);
  }

  #sealHead(count: number, head: string): string {
    return this.#seal(`head ${count} ${head}`);
  }

  #seal(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('hex');
  }
}

// JSON leaves the two line separators of Unicode as they are, hence the `s`.
const LINE = /^\{"mac":"[0-9a-f]{64}","record":(.*)\}$/s;

function readLine(line: string): { mac: string; text: string; record: LedgerRecord } | null {
  const text = LINE.exec(line)?.[1];
  const read = LedgerLineSchema.safeParse(parseJson(line));
  return text !== undefined && read.success ? { ...read.data, text } : null;
}

function readHead(line: string | undefined): LedgerHead | null {
  const read = LedgerHeadSchema.safeParse(parseJson(line ?? ''));
  return read.success ? read.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const sameText = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
