import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundleForNode } from '../support/bundle-for-node';
import { tempFolder } from '../support/temp-folder';

// Each run is a D-Bus session of its own with a keyring of its own, so nothing here touches the keyring of whoever runs the tests.
const run = promisify(execFile);
const CANARY = 'canary-4b7e19f2';

const programsMissing = () =>
  ['dbus-run-session', 'gnome-keyring-daemon'].filter((name) => {
    try {
      execFileSync('which', [name]);
      return false;
    } catch {
      return true;
    }
  });

interface Start {
  state: string;
  answer: unknown;
  crashes: number;
}

let openSecretsScript = '';
let keychainProcessScript = '';

beforeAll(async () => {
  const missing = programsMissing();
  if (missing.length > 0) throw new Error(`These tests need ${missing.join(' and ')}. Install dbus and gnome-keyring.`);
  const scripts = mkdtempSync(join(tmpdir(), 'portcullis-scripts-'));
  openSecretsScript = await bundleForNode('test/fixtures/keychain/open-secrets.ts', join(scripts, 'open-secrets'));
  keychainProcessScript = await bundleForNode('src-main/secrets/keychain-process.ts', join(scripts, 'keychain-process'));
  return () => rmSync(scripts, { recursive: true, force: true });
});

function setUp() {
  const home = tempFolder();
  const folder = join(home, 'user-data');
  const runtime = join(home, 'run');
  for (const path of [folder, runtime, join(home, 'data')]) mkdirSync(path, { mode: 0o700 });
  const env = { PATH: process.env.PATH, HOME: home, XDG_RUNTIME_DIR: runtime, XDG_DATA_HOME: join(home, 'data') };
  const command = (act: string, word: string) => [process.execPath, openSecretsScript, folder, keychainProcessScript, act, word];

  /** One start of the app after `prepare`, in a session bus of its own; the daemon starts again each time and keeps its keyring file. */
  const inSession = async (prepare: string, act = 'open', word = ''): Promise<Start> => {
    const shell = `${prepare}; exec "$@"`;
    const { stdout } = await run('dbus-run-session', ['--', 'bash', '-c', shell, 'bash', ...command(act, word)], { env });
    return JSON.parse(stdout);
  };
  return {
    home,
    folder,
    unlocked: (act?: string, word?: string) =>
      inSession('printf pw | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1', act, word),
    locked: (act?: string, word?: string) =>
      inSession('gnome-keyring-daemon --start --components=secrets >/dev/null 2>&1', act, word),
    withoutBus: async (act = 'open', word = ''): Promise<Start> => {
      const [program = '', ...args] = command(act, word);
      return JSON.parse((await run(program, args, { env })).stdout);
    },
  };
}

function filesUnder(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

const foundUnder = (folder: string, text: string) => filesUnder(folder).filter((file) => readFileSync(file).includes(text));
const contentOf = (folder: string) => filesUnder(folder).map((file) => [file, readFileSync(file, 'utf8')]);

describe('under a real keyring', () => {
  test('S5, H19: unlocked: a secret survives a restart, and no file holds it', async () => {
    const { home, unlocked } = setUp();
    const saved = await unlocked('save', CANARY);
    expect(saved.state).toBe('ready');
    expect(await unlocked('read', String(saved.answer))).toMatchObject({ state: 'ready', answer: { ok: true, value: CANARY } });
    expect(foundUnder(home, CANARY)).toEqual([]);
  });

  test('S10: unlocked: the same value gets the same seal after a restart', async () => {
    const { unlocked } = setUp();
    const first = await unlocked('seal', 'value');
    expect(first.state).toBe('ready');
    expect((await unlocked('seal', 'value')).answer).toBe(first.answer);
  });

  test('S5: locked with nobody to ask: says locked, makes no new key and leaves the vault as it was', async () => {
    const { folder, unlocked, locked } = setUp();
    const saved = await unlocked('save', CANARY);
    const before = contentOf(folder);

    expect(await locked('read', String(saved.answer))).toMatchObject({
      state: 'locked',
      answer: { ok: false, problem: 'locked' },
    });
    expect(await locked('save', 'another value')).toMatchObject({ state: 'locked' });
    expect(contentOf(folder)).toEqual(before);
    expect(await unlocked('read', String(saved.answer))).toMatchObject({ answer: { ok: true, value: CANARY } });
  });

  test('S5, H19: no keychain at all: memory only, and no file anywhere holds the secret', async () => {
    const { home, folder, withoutBus } = setUp();
    const saved = await withoutBus('save', CANARY);
    expect(saved.state).toBe('absent');
    expect(filesUnder(folder)).toEqual([]);
    expect(foundUnder(home, CANARY)).toEqual([]);
    expect(await withoutBus('read', String(saved.answer))).toMatchObject({ answer: { ok: false, problem: 'missing' } });
  });

  test('S5: a keychain process killed at work leaves the app alive', async () => {
    const { folder, unlocked } = setUp();
    const saved = await unlocked('save', CANARY);
    const before = contentOf(folder);
    expect(await unlocked('crash')).toEqual({ state: 'absent', answer: null, crashes: 1 });
    expect(contentOf(folder)).toEqual(before);
    expect(await unlocked('read', String(saved.answer))).toMatchObject({ answer: { ok: true, value: CANARY } });
  });
});
