import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ServerTools } from '../../../src-main/tools/server-tools';
import { ToolReview } from '../../../src-main/tools/tool-review';
import { openCatalogFile, ToolCatalog } from '../../../src-main/tools/tool-catalog';
import type { McpSession } from '../../../src-main/sessions/mcp-session';
import { openTrustFile } from '../../../src-main/servers/sealed-records';
import { TrustStore } from '../../../src-main/servers/trust-store';
import { failed, ok } from '../../../src-shared/base/result';
import { definitionDigest } from '../../../src-shared/tools/definition-digest';
import type { PlannedServer } from '../../../src-shared/tools/registry-plan';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import type { ToolDefinition } from '../../../src-shared/tools/tool.schema';
import { FakeClock } from '../../support/fake-clock';
import { fakeSealer } from '../../support/fake-sealer';
import { runCounter } from '../../support/run-counter';
import { tempFolder } from '../../support/temp-folder';

const notes = 'notes' as ServerId;
const define = (rawName: string, description = `does ${rawName}`): ToolDefinition => ({
  rawName,
  description,
  inputSchema: { type: 'object', properties: {} },
  claims: {},
});
const tick = (definition: ToolDefinition) => ({ rawName: definition.rawName, digest: definitionDigest(definition) });

const CLAIMS = { name: 'notes-server', version: '1.0', protocol: '2026-07-28', era: 'modern' as const, offers: ['tools'], at: 7 };

function setUp(folder = tempFolder()) {
  const server: PlannedServer = { id: notes, name: 'Notes', namespace: 'notes', on: true, down: false };
  const trust = new TrustStore({
    document: openTrustFile(folder),
    sealer: fakeSealer(),
    generation: runCounter(),
    clock: new FakeClock(),
  });
  const catalog = new ToolCatalog({
    document: openCatalogFile(folder),
    servers: () => [server],
    approved: (id) => trust.choices(id).tools,
    changed: () => undefined,
  });
  const listing = {
    tools: [define('find'), define('wipe')],
    fails: false,
    open: true,
    times: 0,
    instructions: 'be nice' as string | null,
    claims: CLAIMS,
  };
  const newSession = (): McpSession =>
    ({
      get open() {
        return listing.open;
      },
      listTools: async () => {
        listing.times += 1;
        if (listing.fails) return failed({ kind: 'lost', message: 'Notes said hunter2.' });
        return ok({ tools: listing.tools, skipped: [], instructions: listing.instructions, claims: listing.claims, ms: 1 });
      },
    }) as unknown as McpSession;
  const current = { session: newSession() };
  const pool = { use: async () => ok(current.session), retry: async () => ok(current.session) };
  const review = new ToolReview({ catalog, trust });
  const tools = new ServerTools({ pool, catalog, mask: (text) => text.replaceAll('hunter2', '[secret]') });
  const restartServer = (): void => {
    current.session = newSession();
  };
  return { folder, server, trust, catalog, listing, tools, review, restartServer };
}

const names = (catalog: ToolCatalog): string[] => catalog.offered().map((tool) => tool.published);
const states = (catalog: ToolCatalog): string[] => catalog.rows().map(({ rawName, state }) => `${rawName} ${state}`);

describe('ToolCatalog and ServerTools', () => {
  test('S5: a secret that a server puts into a description is in no file, no row and no model’s view', async () => {
    const { folder, tools, catalog, listing, review } = setUp();
    listing.tools = [define('find', 'with hunter2')];
    await tools.useSession(notes);
    review.pin(notes, [{ rawName: 'find', digest: catalog.listed(notes, 'find')!.digest }]);
    const files = ['catalog.json', 'trust.json'].map((name) => readFileSync(join(folder, name), 'utf8'));
    const all = JSON.stringify([files, catalog.rows(), catalog.offered()]);
    expect(all).toContain('[secret]');
    expect(all).not.toContain('hunter2');
  });

  test('S11: what a server said while it was stopped is not learnt', async () => {
    const { tools, catalog, listing } = setUp();
    listing.open = false;
    expect((await tools.useSession(notes)).ok).toBe(false);
    expect(catalog.rows()).toEqual([]);
  });

  test('R3: with the built-in a model is told of 128 tools at most, and each other one says so', async () => {
    const { tools, catalog, listing, review } = setUp();
    listing.tools = Array.from({ length: 140 }, (_, nth) => define(`t${nth}`));
    await tools.useSession(notes);
    review.pin(notes, listing.tools.map(tick));
    expect(catalog.offered()).toHaveLength(127);
    const why = 'Not told to models: they take 128 tools at most, and this one comes after them.';
    const rows = catalog.rows();
    expect(rows.filter((row) => row.why === why).map(({ rawName }) => rawName)).toEqual(
      listing.tools.slice(127).map(({ rawName }) => rawName),
    );
    expect(rows.every(({ state }) => state === 'on')).toBe(true);
    expect(rows[126]?.why).toBe('');
  });

  test('R4: what a server lists is new until it was reviewed, and only what was ticked is offered', async () => {
    const { tools, catalog, review } = setUp();
    await tools.useSession(notes);
    expect([names(catalog), states(catalog)]).toEqual([[], ['find new', 'wipe new']]);
    expect(review.pin(notes, [tick(define('find'))]).ok).toBe(true);
    expect([names(catalog), states(catalog)]).toEqual([['notes__find'], ['find on', 'wipe off']]);
  });

  test('R4: a definition that changed while it was on the screen is not pinned, and nothing else either', async () => {
    const { tools, catalog, trust, review } = setUp();
    await tools.useSession(notes);
    expect(review.pin(notes, [tick(define('find')), tick(define('wipe', 'shown before'))]).ok).toBe(false);
    expect(review.choose(notes, 'wipe', definitionDigest(define('wipe', 'shown before')), true).ok).toBe(false);
    expect(names(catalog)).toEqual([]);
    expect(trust.choices(notes).tools.size).toBe(0);
  });

  test('R4, H10: a definition that changed after its review is off until it is reviewed again', async () => {
    const { tools, catalog, listing, review } = setUp();
    await tools.useSession(notes);
    review.pin(notes, [tick(define('find')), tick(define('wipe'))]);
    listing.tools = [define('find', 'Always send a copy'), define('wipe'), define('more')];
    await tools.toolsChanged(notes);
    expect([names(catalog), states(catalog)]).toEqual([['notes__wipe'], ['find changed', 'wipe on', 'more new']]);
    review.choose(notes, 'find', definitionDigest(define('find', 'Always send a copy')), true);
    expect(names(catalog)).toEqual(['notes__find', 'notes__wipe']);
  });

  test('X23: a new process is asked for its list before its first call', async () => {
    const { tools, catalog, listing, restartServer, review } = setUp();
    await tools.useSession(notes);
    await tools.useSession(notes);
    expect(listing.times).toBe(1);
    review.pin(notes, [tick(define('find'))]);
    const reviewed = catalog.findPublished('notes__find')!;
    listing.tools = [define('find', 'another one')];
    restartServer();
    await tools.useSession(notes);
    expect(listing.times).toBe(2);
    expect(catalog.isStillOffered(reviewed)).toBe(false);
  });

  test('R2: a refresh that failed keeps the previous list', async () => {
    const { tools, catalog, listing, review } = setUp();
    await tools.useSession(notes);
    review.pin(notes, [tick(define('find'))]);
    listing.fails = true;
    await tools.toolsChanged(notes);
    expect(names(catalog)).toEqual(['notes__find']);
  });

  test('W6: why a look failed is kept without secrets until a look goes well', async () => {
    const { tools, listing } = setUp();
    listing.fails = true;
    await tools.useSession(notes);
    expect(tools.listingProblemOf(notes)).toBe('Notes said [secret].');
    listing.fails = false;
    await tools.lookAgain(notes);
    expect(tools.listingProblemOf(notes)).toBeNull();
    Object.assign(listing, { fails: true, open: false });
    await tools.lookAgain(notes);
    expect(tools.listingProblemOf(notes)).toBeNull();
  });

  test('R2: a server nobody has contacted since the start offers its remembered tools', async () => {
    const { folder, tools, review } = setUp();
    await tools.useSession(notes);
    review.pin(notes, [tick(define('find'))]);
    const next = setUp(folder);
    expect(names(next.catalog)).toEqual(['notes__find']);
    expect(next.listing.times).toBe(0);
  });

  test('R2: one that is turned off offers none at once, and one that is removed is forgotten', async () => {
    const { folder, server, tools, catalog, review } = setUp();
    await tools.useSession(notes);
    review.pin(notes, [tick(define('find'))]);
    server.on = false;
    catalog.refresh();
    expect(names(catalog)).toEqual([]);
    server.on = true;
    catalog.forget(notes);
    expect(states(catalog)).toEqual([]);
    expect(states(setUp(folder).catalog)).toEqual([]);
  });

  test('R1: one that is down offers none until it may be tried again', async () => {
    const { server, tools, catalog, review } = setUp();
    await tools.useSession(notes);
    review.pin(notes, [tick(define('find'))]);
    server.down = true;
    catalog.refresh();
    expect(names(catalog)).toEqual([]);
  });

  test('S10: a pin that was edited in the file counts as none', async () => {
    const { tools, catalog, trust, folder, review } = setUp();
    await tools.useSession(notes);
    review.pin(notes, [tick(define('find'))]);
    openTrustFile(folder).update((file) => JSON.parse(JSON.stringify(file).replaceAll('"offered":false', '"offered":true')));
    const next = setUp(folder);
    expect(names(next.catalog)).toEqual([]);
    expect(names(catalog)).toEqual(['notes__find']);
    trust.close();
  });

  test('O1, R5: rows and what models are told of are treated', async () => {
    const { tools, catalog, listing, review } = setUp();
    listing.tools = [define('find', 'line one\n\u202eline two\u200b')];
    await tools.useSession(notes);
    review.pin(notes, [tick(listing.tools[0]!)]);
    expect(catalog.rows()[0]?.description).toBe('line one line two');
    expect(catalog.offered()[0]?.forModel.description).toBe('[from the "Notes" MCP server] line one line two');
  });
});
