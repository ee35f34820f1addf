import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openTrustFile } from '../../../src-main/servers/sealed-records';
import { TrustStore } from '../../../src-main/servers/trust-store';
import { reviewCalls } from '../../../src-main/tools/review-calls';
import { openCatalogFile, ToolCatalog } from '../../../src-main/tools/tool-catalog';
import { ToolReview } from '../../../src-main/tools/tool-review';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import { definitionDigest } from '../../../src-shared/tools/definition-digest';
import type { ToolDefinition } from '../../../src-shared/tools/tool.schema';
import { FakeClock } from '../../support/fake-clock';
import { fakeSealer } from '../../support/fake-sealer';
import { runCounter } from '../../support/run-counter';
import { tempFolder } from '../../support/temp-folder';

const notes = 'notes' as ServerId;
const define = (description: string): ToolDefinition => ({
  rawName: 'find',
  description,
  inputSchema: { type: 'object', properties: {} },
  claims: { readOnly: true },
});
const first = define('finds a page');
const digest = definitionDigest(first);
const tick = { rawName: 'find', digest };

function setUp({ folder = tempFolder(), noAct = null as string | null } = {}) {
  const clock = new FakeClock();
  const trust = new TrustStore({ document: openTrustFile(folder), sealer: fakeSealer(), generation: runCounter(), clock });
  const catalog = new ToolCatalog({
    document: openCatalogFile(folder),
    servers: () => [{ id: notes, name: 'Notes', namespace: 'notes', on: true, down: false }],
    approved: (id) => trust.choices(id).tools,
    changed: () => undefined,
  });
  const review = new ToolReview({ catalog, trust });
  const calls = reviewCalls({ review, noActProblem: () => noAct });
  const mark = (readsOnly: boolean, of = digest) =>
    calls['tools.setReadsOnly']({ serverId: notes, rawName: 'find', readsOnly, digest: of });
  const isMarked = (): boolean => review.isMarkedReadsOnly(notes, 'find', catalog.listed(notes, 'find')!.digest);
  return { folder, trust, catalog, review, mark, isMarked };
}

function reviewed(options: Parameters<typeof setUp>[0] = {}) {
  const house = setUp(options);
  house.catalog.learn(notes, { tools: [first], skipped: [] });
  house.review.pin(notes, [tick]);
  return house;
}

describe('the user’s own mark “reads only”', () => {
  test('A6: no claim of a server sets it', () => {
    const { isMarked, catalog } = reviewed();
    expect([isMarked(), catalog.rows()[0]?.readsOnly]).toEqual([false, undefined]);
  });

  test('A6: it is set and taken back by the user, and shown on the row', async () => {
    const { mark, isMarked, catalog } = reviewed();
    expect(await mark(true)).toMatchObject({ ok: true });
    expect([isMarked(), catalog.rows()[0]?.readsOnly]).toEqual([true, true]);
    expect(await mark(false)).toMatchObject({ ok: true });
    expect([isMarked(), catalog.rows()[0]?.readsOnly]).toEqual([false, undefined]);
  });

  test('A9: setting it needs a click or a key press, and taking it back does not', async () => {
    const { mark, isMarked } = reviewed({ noAct: 'Use the switch yourself.' });
    expect(await mark(true)).toMatchObject({ ok: false, problem: { message: 'Use the switch yourself.' } });
    expect(isMarked()).toBe(false);
    expect(await mark(false)).toMatchObject({ ok: true });
  });

  test('A6: it is for the definition that was on the screen, and for a reviewed tool alone', async () => {
    const { mark, isMarked } = reviewed();
    const problem = { message: 'Look at find as it is now first, then say what it does.' };
    expect(await mark(true, definitionDigest(define('other')))).toMatchObject({ ok: false, problem });
    expect(isMarked()).toBe(false);
    const unreviewed = setUp();
    unreviewed.catalog.learn(notes, { tools: [first], skipped: [] });
    expect(await unreviewed.mark(true)).toMatchObject({ ok: false, problem });
  });

  test('A6, R4: a definition that changed has no mark, and does not get it by being reviewed', async () => {
    const { mark, isMarked, catalog, review } = reviewed();
    await mark(true);
    const changed = define('finds and deletes a page');
    catalog.learn(notes, { tools: [changed], skipped: [] });
    expect([isMarked(), catalog.rows()[0]?.readsOnly]).toEqual([false, undefined]);
    review.choose(notes, 'find', definitionDigest(changed), true);
    expect(isMarked()).toBe(false);
    catalog.learn(notes, { tools: [first], skipped: [] });
    review.review(notes, [{ ...tick, offered: true }]);
    expect(isMarked(), 'what was let go does not come back').toBe(false);
  });

  test('A6, N6: switching the tool or reviewing it again unchanged keeps it', async () => {
    const { mark, isMarked, review, trust } = reviewed();
    await mark(true);
    trust.setOffered(notes, 'find', false);
    review.choose(notes, 'find', digest, true);
    review.pin(notes, [tick]);
    review.review(notes, [{ ...tick, offered: true }]);
    expect(isMarked()).toBe(true);
  });

  test('S10: written into the file by anybody else it counts for nothing; what the user set is there after a restart', async () => {
    const { folder, mark, trust } = reviewed();
    await mark(true);
    trust.close();
    const next = setUp({ folder });
    expect(next.isMarked()).toBe(true);
    await next.mark(false);
    next.trust.close();
    const file = join(folder, 'trust.json');
    const forged = readFileSync(file, 'utf8').replace(/"offered":\s*true/, '"offered":true,"readsOnly":true');
    expect(forged).toContain('readsOnly');
    writeFileSync(file, forged);
    expect(setUp({ folder }).isMarked()).toBe(false);
  });
});
