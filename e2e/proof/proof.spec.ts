import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import { expect, test } from '../harness';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { RunningApp } from '../running-app';
import { WatchedApp } from './watched-app';

// Each of these runs alone in a private network; scripts/prove-egress.mjs counts what left during its measured time.

const root = resolve(import.meta.dirname, '../..');
const proof = join(root, 'test/egress-proof');
const MEASURED_SECONDS = 60;

test('control-dictionary', async ({ profile }) => {
  const bare = new WatchedApp('control-dictionary', join(proof, 'bare-app'), profile);
  await bare.start('Bare');
  bare.type('helo wrld ');
  await bare.wait(12);
  await bare.end();
});

test('control-hostile', async ({ profile }) => {
  const bare = new WatchedApp('control-hostile', join(proof, 'bare-app'), profile, {
    HOSTILE_PAGE: join(proof, 'hostile-page'),
  });
  await bare.start('m');
  await playHostilePage(bare);
  await bare.end();
});

test('at-rest', async ({ profile }) => {
  const app = new WatchedApp('at-rest', root, profile);
  await app.start('Portcullis');
  app.picture('start');
  await app.wait(MEASURED_SECONDS - app.secondsSoFar);
  expect(app.running).toBe(true);
  await app.end();
});

test('in-use', async ({ profile, folder }) => {
  await prepare(profile, async (running) => {
    await running.folderDialogPicks(folder);
    await running.window.getByRole('button', { name: 'Open a folder…' }).click();
    await new ServersPage(running.window).turnOn('Files');
  });
  const app = new WatchedApp('in-use', root, profile);
  await app.start('Portcullis');
  const changes: { [step: string]: number } = {};
  const step = async (name: string, act: () => void): Promise<void> => {
    changes[name] = await app.changeBy(act);
    app.picture(name);
  };
  await step('settings', () => app.press('ctrl+comma'));
  await step('privacy', () => app.press('ctrl+shift+p'));
  await step('tools', () => app.press('ctrl+shift+t'));
  await step('tool-search', () => app.type('list_allowed'));
  await step('tool-form', () => app.press('Down', 'Return'));
  await step('approval', () => app.press('Tab', 'Tab', 'Return'));
  await app.wait(1);
  await step('allowed', () => app.press('Tab', 'Return'));
  await app.wait(3);
  app.picture('result');
  await step('new-chat', () => app.press('ctrl+n'));
  await app.wait(MEASURED_SECONDS - app.secondsSoFar);
  expect(app.running).toBe(true);
  await app.end();
  for (const [name, share] of Object.entries(changes)) expect.soft(share, name).toBeGreaterThan(0.0005);
});

test('hostile-page', async ({ profile, scratch }) => {
  const copy = join(scratch, `portcullis-hostile-${process.pid}`);
  mkdirSync(copy);
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  cpSync(join(root, 'out'), join(copy, 'out'), { recursive: true });
  cpSync(join(proof, 'hostile-page'), join(copy, 'out/renderer'), { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const digestIn = (folder: string): string =>
    createHash('sha256')
      .update(readFileSync(join(folder, 'out/main/main.js')))
      .digest('hex');
  expect(digestIn(copy)).toBe(digestIn(root));

  const app = new WatchedApp('hostile-page', copy, profile);
  await app.start('Portcullis|m');
  app.picture('page');
  await playHostilePage(app);
  expect(app.running).toBe(true);
  await app.end();
  rmSync(copy, { recursive: true, force: true });
});

for (const state of ['on', 'off'] as const) {
  test(`one-route-${state}`, async ({ profile }) => {
    await prepare(profile, async (running) => {
      const models = new ModelsPage(running.window);
      await models.addAndTurnOn({ name: 'Far', address: 'https://model.example.com/v1', model: 'far-1', key: 'sk-proof' });
      if (state === 'off') await models.switchOf('Far').click();
      await expect(models.switchOf('Far')).toBeChecked({ checked: state === 'on' });
    });
    const app = new WatchedApp(`one-route-${state}`, root, profile);
    await app.start('Portcullis');
    app.press('ctrl+n');
    await app.wait(1);
    app.type('Say hello');
    app.press('Return');
    await app.wait(15);
    app.picture('asked');
    await app.end();
  });
}

/** What a person set up before, in a start of its own whose packets nobody counts. */
async function prepare(profile: string, work: (app: RunningApp) => Promise<void>): Promise<void> {
  const app = new RunningApp(profile);
  await app.start();
  await work(app);
  await app.quit();
}

async function playHostilePage(app: WatchedApp): Promise<void> {
  await app.wait(6);
  app.click(200, 300);
  await app.wait(14);
}
