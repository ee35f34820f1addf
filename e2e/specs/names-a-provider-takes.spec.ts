import { resolve } from 'node:path';
import { expect, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { startStrictModel } from '../peers';
import { readView } from '../read-state';

const strangeNames = `node ${resolve(import.meta.dirname, '../../test/fixtures/hostile/B32.mjs')}`;

test('N2, N4, B78: tools called like a built-in or with letters no provider takes are renamed, and a strict provider takes them all', async ({
  app,
  node,
  folder,
}) => {
  const strict = await startStrictModel(node);
  const servers = new ServersPage(app.window);
  await app.folderDialogPicks(folder);
  await app.window.getByRole('button', { name: 'Open a folder…' }).click();
  // The sample server has tools called read_file and list_directory, as two of the app's own are.
  await servers.turnOn('Files');
  await servers.addTyped(strangeNames, 'Strange');
  await servers.turnOn('Strange');

  const published = (await readView(app.window, 'tools'))
    .filter(({ state }) => state === 'on')
    .map((tool) => tool.published ?? '');
  expect(published).toContain('files__read_file');
  expect(published.length).toBeGreaterThan(20);
  expect(published.filter((name) => !/^[a-z][a-z0-9_-]*__[a-zA-Z0-9_-]+$/.test(name) || name.length > 64)).toEqual([]);
  expect(new Set(published).size).toBe(published.length);

  await new ModelsPage(app.window).addAndTurnOn({ name: 'Strict', address: strict.address, model: 'm1' });
  const chat = new ChatPage(app.window);
  await chat.startNew();
  await chat.send('Hello');
  await expect(chat.conversation).toContainText('accepted');
  await strict.stop();
});
