import { mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openServersFile, ServerStore } from '../../../src-main/servers/server-store';
import { openTrustFile } from '../../../src-main/servers/sealed-records';
import { TrustStore } from '../../../src-main/servers/trust-store';
import { workspaceCalls } from '../../../src-main/servers/workspace-calls';
import { openWorkspacesFile, Workspaces } from '../../../src-main/servers/workspaces';
import type { ServerConfig, ServerId } from '../../../src-shared/servers/server.schema';
import { FakeClock } from '../../support/fake-clock';
import { fakeSealer } from '../../support/fake-sealer';
import { FakeVault } from '../../support/fake-vault';
import { runCounter } from '../../support/run-counter';
import { tempFolder } from '../../support/temp-folder';

const FOLLOWED_AFTER_MS = 10_000;

function setUp() {
  const top = tempFolder();
  const [home, profile, root] = ['home', 'home/profile', 'home/app'].map((name) => join(top, name)) as [string, string, string];
  for (const folder of [profile, root]) mkdirSync(folder, { recursive: true });
  const clock = new FakeClock();
  const vault = new FakeVault();
  const store = new ServerStore({ document: openServersFile(profile), vault, clock });
  const trust = new TrustStore({ document: openTrustFile(profile), sealer: fakeSealer(), generation: runCounter(), clock });
  const revoked: ServerId[] = [];
  const removed: ServerId[] = [];
  store.onRemoved((id) => removed.push(id));
  const open = () => {
    const workspaces = new Workspaces({
      ...{ clock, trust, store, vault, document: openWorkspacesFile(profile), places: { home, ownFolder: profile } },
      revokeServer: (id) => (revoked.push(id), null),
      changed: () => undefined,
    });
    onTestFinished(() => workspaces.end());
    return workspaces;
  };
  const workspaces = open();
  const path = (file: string) => join(root, file);
  const write = (file: string, content: unknown) => {
    mkdirSync(join(path(file), '..'), { recursive: true });
    writeFileSync(path(file), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const listed = () => store.list();
  const config = (name: string): ServerConfig => {
    const stored = store.list().find((each) => each.kind === 'ok' && each.config.name === name);
    if (stored?.kind !== 'ok') throw new Error(`${name} is not listed as usable`);
    return stored.config;
  };
  const names = () => listed().map((stored) => (stored.kind === 'ok' ? stored.config.name : `refused ${stored.name}`));
  /** Lets what was written be seen and read. */
  const until = (check: () => void) =>
    vi.waitFor(async () => {
      await clock.advanceSettling(500);
      check();
    });
  return {
    ...{ top, home, profile, root, clock, vault, store, trust, revoked, removed, workspaces, open },
    ...{ path, write, listed, config, names, until },
  };
}

const files = { mcpServers: { files: { command: 'node', args: ['x.mjs'] } } };

describe('opening a folder', () => {
  test('T3, S1, S8: lists what its three files hold, off, with folder and file, and writes nothing there', async () => {
    const { workspaces, write, root, store } = setUp();
    write('.portcullis/mcp.json', { mcpServers: { one: { command: 'a', enabled: true, autoApprove: ['*'], trusted: true } } });
    write('.mcp.json', { mcpServers: { two: { url: 'https://a.example', disabled: false } } });
    write('.vscode/mcp.json', '// mine\n{"servers": {"three": {"command": "b",}}}');
    const before = readdirSync(root, { recursive: true });
    expect(await workspaces.open(root)).toEqual({ ok: true, value: root });
    expect(store.list()).toMatchObject([
      {
        config: {
          name: 'one',
          enabled: false,
          source: { kind: 'workspace', folder: root, file: '.portcullis/mcp.json', entry: 'one' },
        },
      },
      { config: { name: 'two', enabled: false, source: { file: '.mcp.json' } } },
      { config: { name: 'three', enabled: false, namespace: 'three', source: { file: '.vscode/mcp.json' } } },
    ]);
    expect(readdirSync(root, { recursive: true })).toEqual(before);
  });

  test.each(['home', 'top', 'profile'] as const)('G8: %s is refused', async (which) => {
    const parts = setUp();
    expect(await parts.workspaces.open(parts[which])).toMatchObject({ ok: false });
    expect(parts.workspaces.rows()).toEqual([]);
  });

  test('T3: a file behind a link is told and lists nothing', async () => {
    const { workspaces, top, path, names, root, until } = setUp();
    writeFileSync(join(top, 'outside.json'), JSON.stringify(files));
    symlinkSync(join(top, 'outside.json'), path('.mcp.json'));
    await workspaces.open(root);
    await until(() => expect(workspaces.rows()[0]?.files[0]?.problem).toContain('It is a link'));
    expect(names()).toEqual([]);
  });

  test('S2, N1: an entry that breaks a rule is listed with its reason, and one whose short name is taken gets another', async () => {
    const { workspaces, write, root, store, names, config } = setUp();
    store.add({ name: 'files', connection: { kind: 'stdio', command: 'mine', args: [], env: [] } }, { kind: 'you' });
    write('.mcp.json', { mcpServers: { ...files.mcpServers, plain: { url: 'http://a.example' } } });
    await workspaces.open(root);
    expect(names()).toEqual(['files', 'files', 'refused plain']);
    expect(store.takenNamespaces()).toEqual(['files', 'files-2']);
    expect(store.list()[2]).toMatchObject({ reason: expect.stringContaining('https') as string });
    expect(config('files')).toMatchObject({ source: { kind: 'you' } });
  });

  test('S5: a value that is kept as a secret stands in the vault, not in the store', async () => {
    const { workspaces, write, root, vault, profile } = setUp();
    write('.mcp.json', { mcpServers: { a: { command: 'x', env: { API_TOKEN: 'canary-51' } } } });
    await workspaces.open(root);
    expect(vault.knownValues()).toEqual(['canary-51']);
    expect(readFileSync(join(profile, 'servers.json'), 'utf8')).not.toContain('canary-51');
  });
});

describe('files of kind g', () => {
  const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../fixtures/hostile/data', name));
  async function openedWith(name: string) {
    const parts = setUp();
    writeFileSync(parts.path('.mcp.json'), fixture(name));
    await parts.workspaces.open(parts.root);
    return { ...parts, unchanged: () => expect(readFileSync(parts.path('.mcp.json'))).toEqual(fixture(name)) };
  }

  test('B71, S9: of thirteen spellings ten are listed, off, and three with their reason', async () => {
    const { listed, unchanged } = await openedWith('B71-types.json');
    const kinds = listed().map(({ kind }) => kind);
    expect([kinds.filter((kind) => kind === 'ok').length, kinds.filter((kind) => kind === 'refused').length]).toEqual([10, 3]);
    unchanged();
  });

  test.each(['B71-servers.json', 'B72-bom.json', 'B74-vars.json', 'B75-disabled.json'])(
    'S1, S9: what %s lists is off',
    async (name) => {
      const { listed, unchanged } = await openedWith(name);
      expect(listed().length).toBeGreaterThan(0);
      expect(listed().filter((stored) => stored.kind === 'ok' && stored.config.enabled)).toEqual([]);
      unchanged();
    },
  );

  test.each(['B77-empty.json', 'B77-truncated.json', 'B77-tail.json'])(
    'B77, S4: %s lists nothing, is told and stays as it is',
    async (name) => {
      const { workspaces, listed, until, unchanged } = await openedWith(name);
      await until(() => expect(workspaces.rows()[0]?.files[0]?.problem).toContain('It cannot be read as JSON.'));
      expect(listed()).toEqual([]);
      unchanged();
    },
  );

  test('S4, T3: a file of 50 MB costs no more than its bound', async () => {
    const { workspaces, path, root, until, listed } = setUp();
    writeFileSync(path('.mcp.json'), Buffer.alloc(50 * 1024 * 1024, 0x20));
    await workspaces.open(root);
    await until(() => expect(workspaces.rows()[0]?.files[0]?.problem).toBe('It is larger than 256 KiB, so it was not read.'));
    expect(listed()).toEqual([]);
  });
});

describe('trust of a folder', () => {
  test('T3: nothing is worked out for an entry before its folder is trusted, and the trust is sealed for that folder alone', async () => {
    const { workspaces, write, root, config, trust, open } = setUp();
    write('.mcp.json', files);
    await workspaces.open(root);
    expect(workspaces.refusal(config('files'))).toContain('which you have not trusted');
    expect(workspaces.trust(root)).toEqual({ ok: true, value: undefined });
    expect([workspaces.refusal(config('files')), workspaces.rows()[0]?.trusted]).toEqual([null, true]);
    expect(trust.isRouteOn(root)).toBe(false);
    expect(workspaces.refusal({ source: { kind: 'workspace', folder: `${root}/sub` } })).not.toBeNull();
    expect(open().isTrusted(root)).toBe(true);
    expect(workspaces.refusal({ source: { kind: 'you' } })).toBeNull();
  });

  test('T4: taking it back stops each of its servers, and none of another source', async () => {
    const { workspaces, write, root, config, store, revoked } = setUp();
    store.add({ name: 'mine', connection: { kind: 'stdio', command: 'x', args: [], env: [] } }, { kind: 'you' });
    write('.mcp.json', files);
    await workspaces.open(root);
    workspaces.trust(root);
    expect(workspaces.revoke(root)).toEqual({ ok: true, value: undefined });
    expect([revoked, workspaces.isTrusted(root)]).toEqual([[config('files').id], false]);
  });

  test('T4: all folders can be taken back at once, with the servers of each', async () => {
    const { workspaces, write, root, top, config, revoked } = setUp();
    const second = join(top, 'second');
    mkdirSync(second);
    write('.mcp.json', files);
    for (const folder of [root, second]) {
      await workspaces.open(folder);
      workspaces.trust(folder);
    }
    expect(workspaces.rows().map(({ trusted }) => trusted)).toEqual([true, true]);
    expect(workspaces.revokeAll()).toEqual({ ok: true, value: undefined });
    expect([revoked, workspaces.rows().map(({ trusted }) => trusted)]).toEqual([[config('files').id], [false, false]]);
  });

  test('T3: a folder that is not open cannot be trusted, and closing one takes its trust and its servers along', async () => {
    const { workspaces, write, root, config, removed, names } = setUp();
    write('.mcp.json', files);
    expect(workspaces.trust(root)).toMatchObject({ ok: false });
    await workspaces.open(root);
    workspaces.trust(root);
    const { id } = config('files');
    expect(workspaces.close(root)).toEqual({ ok: true, value: undefined });
    expect([names(), removed, workspaces.rows()]).toEqual([[], [id], []]);
    await workspaces.open(root);
    expect(workspaces.isTrusted(root)).toBe(false);
    expect(config('files').id).not.toBe(id);
  });

  test('A9, T3: without an act of a person, as without a window, the answer is no', async () => {
    const { workspaces, root } = setUp();
    await workspaces.open(root);
    const problem = { current: 'No act.' as string | null };
    const calls = workspaceCalls({ workspaces, pickWorkspace: async () => null, noActProblem: () => problem.current });
    expect(await calls['workspaces.trust']({ folder: root })).toMatchObject({ ok: false, problem: { message: 'No act.' } });
    expect(workspaces.isTrusted(root)).toBe(false);
    problem.current = null;
    expect(await calls['workspaces.trust']({ folder: root })).toEqual({ ok: true, value: {} });
    expect(await calls['workspaces.revoke']({ folder: root })).toEqual({ ok: true, value: {} });
    expect(await calls['workspaces.close']({ folder: root })).toEqual({ ok: true, value: {} });
    expect(await calls['workspaces.open']({})).toEqual({ ok: true, value: { folder: null } });
  });
});

describe('the files while the app runs', () => {
  async function opened(content: unknown = files) {
    const parts = setUp();
    parts.write('.mcp.json', content);
    await parts.workspaces.open(parts.root);
    return parts;
  }

  test('S7, S3: an edited launch is another one and off, an untouched one keeps its id and its switch', async () => {
    const { write, store, config, until } = await opened({ mcpServers: { a: { command: 'x' }, b: { command: 'y' } } });
    const [a, b] = [config('a').id, config('b').id];
    for (const id of [a, b]) store.setEnabled(id, true);
    write('.mcp.json', {
      mcpServers: { b: { command: 'y' }, a: { command: 'x', args: ['--more'] }, c: { command: 'z', enabled: true } },
    });
    await until(() => expect(config('c').enabled).toBe(false));
    expect(config('a')).toMatchObject({ id: a, enabled: false, connection: { args: [{ value: '--more' }] } });
    expect(config('b')).toMatchObject({ id: b, enabled: true });
  });

  test('T2: another value of a secret is another thing to approve; the same value is not', async () => {
    const withToken = (value: string) => ({ mcpServers: { a: { command: 'x', env: { TOKEN: value } } } });
    const { write, store, config, until, vault, profile } = await opened(withToken('first'));
    store.setEnabled(config('a').id, true);
    const text = readFileSync(join(profile, 'servers.json'), 'utf8');
    write('.mcp.json', { ...withToken('first'), more: 1 });
    await until(() => undefined);
    expect(readFileSync(join(profile, 'servers.json'), 'utf8')).toBe(text);
    write('.mcp.json', withToken('second'));
    await until(() => expect(config('a').enabled).toBe(false));
    expect(vault.knownValues()).toEqual(['second']);
  });

  test('S7, S11: an entry that is taken out of its file goes, and comes back as another server', async () => {
    const { write, config, names, removed, until } = await opened();
    const { id } = config('files');
    write('.mcp.json', { mcpServers: {} });
    await until(() => expect(names()).toEqual([]));
    expect(removed).toEqual([id]);
    write('.mcp.json', files);
    await until(() => expect(config('files').id).not.toBe(id));
  });

  test('S7: a file that goes takes its entries along, one that is only being saved does not', async () => {
    const { path, names, removed, clock, until } = await opened();
    renameSync(path('.mcp.json'), path('.saving'));
    await clock.advanceSettling(2_000);
    renameSync(path('.saving'), path('.mcp.json'));
    await until(() => undefined);
    expect([names(), removed]).toEqual([['files'], []]);
    rmSync(path('.mcp.json'));
    await until(() => expect(names()).toEqual([]));
  });

  test('S4: a file that cannot be read keeps what it listed, starts nothing new and is told', async () => {
    const { write, workspaces, names, config, until } = await opened();
    expect(workspaces.unread(config('files'))).toBeNull();
    write('.mcp.json', '{"mcpServers": {');
    await until(() => expect(workspaces.rows()[0]?.files[0]?.problem).toContain('It cannot be read as JSON.'));
    expect([names(), workspaces.unread(config('files')) === null]).toEqual([['files'], false]);
    write('.mcp.json', files);
    await until(() => expect(workspaces.unread(config('files'))).toBeNull());
  });

  test('S2, S3: an entry that comes to break a rule is refused and off, and is the same server once it is right again', async () => {
    const { write, config, store, until, names } = await opened();
    const { id } = config('files');
    store.setEnabled(id, true);
    write('.mcp.json', { mcpServers: { files: { command: 'x', url: 'https://a.example' } } });
    await until(() => expect(names()).toEqual(['refused files']));
    write('.mcp.json', files);
    await until(() => expect(config('files')).toMatchObject({ id, enabled: false, namespace: 'files' }));
  });

  test('S9: what an entry runs is changed in its file alone; its names are the app’s own', async () => {
    const { config, store, path, until, write } = await opened();
    const { id, connection } = config('files');
    const draft = { name: 'Mine', namespace: 'mine', connection };
    const other = { ...draft, connection: { ...connection, command: 'other' } as typeof connection };
    expect(store.update(id, other)).toMatchObject({ ok: false, problem: expect.stringContaining('Change it there.') as string });
    expect(store.remove(id)).toMatchObject({ ok: false, problem: expect.stringContaining('Take it out there') as string });
    expect(store.update(id, draft)).toEqual({ ok: true, value: undefined });
    expect(readFileSync(path('.mcp.json'), 'utf8')).toBe(JSON.stringify(files));
    write('.mcp.json', { mcpServers: { files: { command: 'node', args: ['y.mjs'] } } });
    await until(() =>
      expect(config('Mine')).toMatchObject({ id, namespace: 'mine', connection: { args: [{ value: 'y.mjs' }] } }),
    );
  });

  test('X3: an entry of the store that only claims to come from a workspace is dropped', async () => {
    const { profile, store, until, names, write } = await opened();
    const file = join(profile, 'servers.json');
    const { version, servers } = JSON.parse(readFileSync(file, 'utf8')) as { version: number; servers: object[] };
    const claims = [
      { ...servers[0], id: 'second', namespace: 'second', name: 'second' },
      {
        ...servers[0],
        id: 'closed',
        namespace: 'closed',
        source: { kind: 'workspace', folder: '/elsewhere', file: '.mcp.json', entry: 'x' },
      },
    ];
    writeFileSync(file, JSON.stringify({ version, servers: [...servers, ...claims] }));
    await until(() => expect(names()).toEqual(['files', 'second']));
    write('.mcp.json', { ...files, more: 1 });
    await until(() => expect(names()).toEqual(['files']));
    expect(store.takenNamespaces()).toEqual(['files']);
  });

  test('G8, T3: a list of open folders that another program wrote opens no folder that is refused', async () => {
    const { profile, home, workspaces, names, until } = setUp();
    writeFileSync(join(home, '.mcp.json'), JSON.stringify(files));
    writeFileSync(join(profile, 'workspaces.json'), JSON.stringify({ version: 1, folders: [{ folder: home, openedAt: 1 }] }));
    await until(() => expect(workspaces.rows()[0]?.files[0]?.problem).toContain('whole home folder'));
    expect(names()).toEqual([]);
  });

  test('S4: a list of open folders that cannot be read closes none', async () => {
    const { profile, workspaces, names, clock } = await opened();
    writeFileSync(join(profile, 'workspaces.json'), '{');
    await clock.advanceSettling(FOLLOWED_AFTER_MS);
    expect(names()).toEqual(['files']);
    expect(existsSync(join(profile, 'workspaces.json'))).toBe(true);
    await vi.waitFor(async () => {
      await clock.advanceSettling(500);
      expect(workspaces.problem()).not.toBeNull();
    });
    expect(names()).toEqual(['files']);
  });
});
