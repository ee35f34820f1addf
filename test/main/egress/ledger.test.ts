import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { LedgerLineSchema } from '../../../src-shared/egress/ledger-record.schema';
import { HEAD_DELAY_MS } from '../../../src-main/egress/ledger-chain';
import { openLedger, RECENT_ROWS, type Ledger, type RequestFacts } from '../../../src-main/egress/ledger';
import { FakeClock } from '../../support/fake-clock';
import { tempFolder } from '../../support/temp-folder';

const KEY = Buffer.alloc(32, 7);
const facts: RequestFacts = { routeId: 'server-a', host: 'mcp.example.com', method: 'POST', conversation: 'c1' };
const answered = { outcome: 'answered', status: 200, bytesOut: 10, bytesIn: 20, address: '93.184.216.34' } as const;

function setUp(key: Buffer | null = KEY) {
  const folder = tempFolder();
  const clock = new FakeClock();
  const file = join(folder, 'ledger.jsonl');
  const headFile = join(folder, 'ledger-head.jsonl');
  const open = (otherKey: Buffer | null = key) => openLedger({ folder, key: otherKey, clock });
  const lines = () => readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const records = () => lines().map((line) => LedgerLineSchema.parse(JSON.parse(line)).record);
  const write = (changed: string[]) => writeFileSync(file, changed.map((line) => `${line}\n`).join(''));
  return { folder, clock, file, headFile, open, lines, records, write };
}

function fill(ledger: Ledger, times: number): void {
  for (let index = 0; index < times; index += 1) ledger.recordResult(ledger.recordAttempt(facts), answered);
}

function fillAndClose(ledger: Ledger, times: number): void {
  fill(ledger, times);
  ledger.close();
}

describe('the ledger', () => {
  test('P4: the attempt stands in the file before the result is known', () => {
    const { open, clock, records } = setUp();
    const ledger = open();
    const attempt = ledger.recordAttempt(facts);
    expect(records().map((record) => record.kind)).toEqual(['start', 'attempt']);
    expect(ledger.rows(10)).toMatchObject([{ attempt, outcome: 'open' }]);

    clock.advance(40);
    ledger.recordResult(attempt, answered);
    expect(records().at(-1)).toMatchObject({ kind: 'result', attempt, ms: 40, bytesOut: 10 });
    expect(ledger.rows(10)).toMatchObject([{ attempt, outcome: 'answered', ms: 40, address: '93.184.216.34' }]);
  });

  test('P4: rows, counts and use are the same after a restart', () => {
    const { open, clock } = setUp();
    const ledger = open();
    fill(ledger, 3);
    ledger.recordRefused({ ...facts, host: 'hidden.example' });
    const before = [ledger.rows(10), ledger.count(), ledger.use(clock.now())];
    ledger.close();
    const again = open();
    expect([again.rows(10), again.count(), again.use(clock.now())]).toEqual(before);
    expect(again.chainProblem()).toBeNull();
    expect(again.rows(1)).toMatchObject([{ outcome: 'refused', host: 'hidden.example' }]);
  });

  test('P4: a request that a killed run left open reads as cut off', () => {
    const { open } = setUp();
    open().recordAttempt(facts);
    expect(open().rows(1)).toMatchObject([{ outcome: 'cut-off' }]);
  });

  test('P4: a torn last line is dropped and the chain goes on', () => {
    const { open, file } = setUp();
    fill(open(), 2);
    writeFileSync(file, '{"mac":"00', { flag: 'a' });
    const again = open();
    expect(again.chainProblem()).toBeNull();
    fill(again, 1);
    again.close();
    expect(open().chainProblem()).toBeNull();
    expect(open().count()).toBe(3);
  });

  test('P4: the head follows within a moment, and a kill before that is no change by a stranger', () => {
    const { open, clock, lines, write } = setUp();
    const ledger = open();
    fill(ledger, 2);
    clock.advance(HEAD_DELAY_MS);
    fill(ledger, 2);
    write(lines().slice(0, 4));
    expect(open().chainProblem()).toMatch(/cut a line off/);

    const killed = setUp();
    fill(killed.open(), 4);
    expect(killed.open().chainProblem()).toBeNull();
  });

  test('P4: every line is canonical JSON, and no value can begin a line of its own', () => {
    const { open, lines, file } = setUp();
    const hostile = 'x\n{"mac":"0","record":{}}\r\u001b[2K\u2028';
    open().recordAttempt({ ...facts, conversation: hostile, host: hostile });
    expect(lines()).toHaveLength(2);
    expect(readFileSync(file, 'utf8')).not.toContain('\u001b');
    for (const line of lines()) {
      const { mac, record } = JSON.parse(line) as { mac: string; record: Record<string, unknown> };
      expect(line).toBe(JSON.stringify({ mac, record: Object.fromEntries(Object.entries(record).sort()) }));
    }
    expect(open().rows(1)).toMatchObject([{ host: hostile, conversation: hostile }]);
  });

  test('P4: a result is written once', () => {
    const { open, records } = setUp();
    const ledger = open();
    const attempt = ledger.recordAttempt(facts);
    ledger.recordResult(attempt, answered);
    ledger.recordResult(attempt, { ...answered, outcome: 'failed' });
    expect(records().filter((record) => record.kind === 'result')).toHaveLength(1);
  });

  test('P4: the latest rows are kept in memory, and all are counted', () => {
    const { open, clock } = setUp();
    const ledger = open();
    const early = ledger.recordAttempt(facts);
    fill(ledger, RECENT_ROWS + 5);
    ledger.recordResult(early, { ...answered, bytesOut: 1000 });
    expect(ledger.rows(5000)).toHaveLength(RECENT_ROWS);
    expect(ledger.rows(0)).toEqual([]);
    expect(ledger.count()).toBe(RECENT_ROWS + 6);
    expect(ledger.use(clock.now())).toMatchObject([{ times: RECENT_ROWS + 6, bytesOut: 1000 + 10 * (RECENT_ROWS + 5) }]);
    ledger.close();
    expect(open().use(clock.now())).toEqual(ledger.use(clock.now()));
  });

  test('P4: listeners hear of every record', () => {
    const { open } = setUp();
    const ledger = open();
    let heard = 0;
    const stop = ledger.onChange(() => (heard += 1));
    fill(ledger, 1);
    ledger.recordRefused(facts);
    stop();
    ledger.recordRefused(facts);
    expect(heard).toBe(3);
  });
});

describe('the chain', () => {
  const damages: [what: string, damage: (lines: string[]) => string[], says: RegExp][] = [
    [
      'a changed value',
      (lines) => lines.map((line, at) => (at === 3 ? line.replace('mcp.example.com', 'xxx.example.com') : line)),
      /changed the ledger file, first at line 4/,
    ],
    ['a line left out', (lines) => lines.filter((_, at) => at !== 3), /first at line 4/],
    ['a line doubled', (lines) => [...lines.slice(0, 4), ...lines.slice(3)], /changed the ledger file, first at line 5/],
    [
      'two lines swapped',
      (lines) => [...lines.slice(0, 3), lines[4] ?? '', lines[3] ?? '', ...lines.slice(5)],
      /first at line 4/,
    ],
    ['lines cut off the end', (lines) => lines.slice(0, -2), /cut 2 lines off/],
    ['the first line cut off', (lines) => [...lines.slice(1), lines[0] ?? ''], /first at line 1/],
    ['a line of nonsense', (lines) => lines.map((line, at) => (at === 3 ? 'nonsense' : line)), /first at line 4/],
    ['an emptied file', () => [], /cut 9 lines/],
    ['a line without a seal', (lines) => [...lines, lines[1]?.replace(/"mac":"[^"]*",/, '') ?? ''], /first at line 10/],
  ];
  test.each(damages)('P4: tells of %s, also after the next restart', (_what, damage, says) => {
    const { open, lines, write } = setUp();
    fillAndClose(open(), 4);
    write(damage(lines()));
    expect(open().chainProblem()).toMatch(says);
    expect(open().chainProblem()).toMatch(/Something|An earlier start/);
  });

  test('P4: lines written without the key are found', () => {
    const { open, lines, write, folder, headFile } = setUp();
    fillAndClose(open(), 1);
    const other = openLedger({ folder: join(folder, 'forged'), key: Buffer.alloc(32, 9), clock: new FakeClock() });
    fillAndClose(other, 1);
    write(
      readFileSync(join(folder, 'forged', 'ledger.jsonl'), 'utf8')
        .split('\n')
        .filter(Boolean),
    );
    writeFileSync(headFile, readFileSync(join(folder, 'forged', 'ledger-head.jsonl')));
    expect(lines()).toHaveLength(3);
    expect(open().chainProblem()).toMatch(/first at line 1/);
  });

  test('P4: a ledger replaced by one that claims to have had no keychain is told', () => {
    const { open, folder, write, headFile } = setUp();
    fillAndClose(open(), 2);
    openLedger({ folder: join(folder, 'forged'), key: null, clock: new FakeClock() });
    write(
      readFileSync(join(folder, 'forged', 'ledger.jsonl'), 'utf8')
        .split('\n')
        .filter(Boolean),
    );
    writeFileSync(headFile, readFileSync(join(folder, 'forged', 'ledger-head.jsonl')));
    expect(open().chainProblem()).toMatch(/without a keychain/);
  });

  test('P4: a removed or forged head file is told', () => {
    const { open, headFile } = setUp();
    fillAndClose(open(), 2);
    rmSync(headFile);
    expect(open().chainProblem()).toMatch(/length of the ledger/);

    const forged = setUp();
    fillAndClose(forged.open(), 2);
    const head = JSON.parse(readFileSync(forged.headFile, 'utf8').trim().split('\n').at(-1) ?? '') as { count: number };
    writeFileSync(forged.headFile, `${JSON.stringify({ ...head, count: head.count - 1 })}\n`);
    expect(forged.open().chainProblem()).toMatch(/length of the ledger/);
  });

  test('P4: lines cut off are told even when the head is rewritten to fit', () => {
    const { open, lines, write, headFile } = setUp();
    fillAndClose(open(), 3);
    const kept = lines().slice(0, 4);
    write(kept);
    const { mac } = JSON.parse(kept.at(-1) ?? '') as { mac: string };
    writeFileSync(headFile, `${JSON.stringify({ count: 4, head: mac, mac })}\n`);
    expect(open().chainProblem()).toMatch(/length of the ledger/);
  });

  test('P4: erase begins a chain that states how many were erased, and carries over what is under way', () => {
    const { open, records, file, clock } = setUp();
    const ledger = open();
    fill(ledger, 3);
    const under = ledger.recordAttempt({ ...facts, host: 'slow.example' });
    expect(ledger.erase()).toBe(3);
    expect(records()).toMatchObject([
      { kind: 'start', erased: 3 },
      { kind: 'attempt', attempt: under },
    ]);
    expect(readFileSync(file, 'utf8')).not.toContain('mcp.example.com');
    expect([ledger.count(), ledger.erasedCount(), ledger.chainProblem()]).toEqual([1, 3, null]);
    ledger.recordResult(under, answered);
    expect(ledger.use(clock.now())).toMatchObject([{ times: 1, bytesOut: 10 }]);
    fill(ledger, 1);
    expect(ledger.erase()).toBe(2);
    ledger.close();
    const again = open();
    expect([again.count(), again.erasedCount(), again.chainProblem()]).toEqual([0, 5, null]);
  });

  test('P4: erasing ends a chain that did not hold', () => {
    const { open, lines, write } = setUp();
    fillAndClose(open(), 3);
    write(lines().slice(0, 3));
    const ledger = open();
    expect(ledger.chainProblem()).not.toBeNull();
    ledger.erase();
    expect(ledger.chainProblem()).toBeNull();
    expect(open().chainProblem()).toBeNull();
  });

  test('S5: without a keychain a new chain begins for this run, and it says so', () => {
    const { open, records } = setUp();
    fillAndClose(open(), 1);
    const ledger = open(null);
    fill(ledger, 1);
    expect(ledger.chainProblem()).toMatch(/no keychain in this run/);
    expect(ledger.count()).toBe(2);
    expect(records().filter((record) => record.kind === 'start')).toMatchObject([{ key: 'kept' }, { key: 'this-run' }]);
    ledger.close();
    expect(open(null).chainProblem()).toMatch(/no keychain in this run/);
    const back = open();
    expect(back.chainProblem()).toMatch(/part of the ledger was written without a keychain/);
    fill(back, 1);
    back.close();
    expect(open().count()).toBe(3);
  });

  test('P4: the head file stays small', () => {
    const { open, headFile, clock } = setUp();
    const ledger = open();
    for (let index = 0; index < 1100; index += 1) {
      fill(ledger, 1);
      clock.advance(HEAD_DELAY_MS);
    }
    expect(readFileSync(headFile, 'utf8').split('\n').length).toBeLessThan(200);
    ledger.close();
    expect(open().chainProblem()).toBeNull();
  });
});
