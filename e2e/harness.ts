import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test as base } from '@playwright/test';
import { startEverything, startScriptedModel, type Peer, type ScriptedModel } from './peers';
import { RunningApp } from './running-app';

export { expect } from '@playwright/test';

interface Fixtures {
  /** Where profiles and folders of tests are made. */
  scratch: string;
  /** The Node that peers run in. */
  node: string;
  /** A fresh profile folder. */
  profile: string;
  /** A folder with a few files, for the filesystem server. Its path is unlike any other. */
  folder: string;
  /** Variables the app is started with besides our own. */
  appEnv: Record<string, string>;
  app: RunningApp;
  everything: Peer;
  model: ScriptedModel;
}

const FILES: Record<string, string> = {
  'meeting-2026-11-12.md':
    '# Meeting, 12 November\n\n- The release moves to Thursday.\n- The import of old notes is checked once more.\n- Budget: unchanged.\n',
  'shopping.txt': 'milk\nbread\nfour lemons\n',
  'ideas/garden.md': '# Garden\n\nMove the rosemary to the south wall before the first frost.\n',
};

/** The command line of the test server in e2e/peers, with words that tell one run of it from another. */
export function notesCommand(words: string): string {
  return `node ${resolve(import.meta.dirname, 'peers/notes-server.mjs')} ${words}`;
}

export const test = base.extend<Fixtures>({
  scratch: [tmpdir(), { option: true }],
  node: [process.execPath, { option: true }],
  profile: async ({ scratch }, use) => {
    const folder = mkdtempSync(join(scratch, 'portcullis-profile-'));
    await use(folder);
    rmSync(folder, { recursive: true, force: true });
  },
  folder: async ({ scratch }, use) => {
    const parent = mkdtempSync(join(scratch, 'portcullis-files-'));
    const folder = join(parent, 'notes');
    for (const [name, text] of Object.entries(FILES)) {
      const file = join(folder, name);
      mkdirSync(resolve(file, '..'), { recursive: true });
      writeFileSync(file, text);
    }
    await use(folder);
    rmSync(parent, { recursive: true, force: true });
  },
  appEnv: [{}, { option: true }],
  app: async ({ profile, appEnv }, use, testInfo) => {
    const app = new RunningApp(profile, appEnv);
    await app.start().catch(async (error: unknown) => {
      await app.quit();
      throw error;
    });
    await use(app);
    if (testInfo.status !== testInfo.expectedStatus) {
      await testInfo.attach('printed', { body: app.printed, contentType: 'text/plain' });
      const shot = await app.window.screenshot().catch(() => null);
      if (shot) await testInfo.attach('window', { body: shot, contentType: 'image/png' });
    }
    await app.quit();
  },
  everything: async ({ node }, use) => {
    const peer = await startEverything(node);
    await use(peer);
    await peer.stop();
  },
  model: async ({ node }, use) => {
    const peer = await startScriptedModel(node);
    await use(peer);
    await peer.stop();
  },
});
