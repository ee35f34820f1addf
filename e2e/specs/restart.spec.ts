import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';
import { processesWith } from '../processes';
import { readView } from '../read-state';

const READ = 'call notes__read_page {"page":"first"}';

test('G3, S10, R2: after a restart everything is as it was, and nothing runs until it is needed', async ({
  app,
  model,
  folder,
}) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes', ['tell_token']);
  await new ModelsPage(app.window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
  const chat = new ChatPage(app.window);
  await chat.startNew();
  await chat.send(READ);
  await new ToolSheet(app.window, 'read_page').runInThisChat.click();
  await expect(chat.conversation).toContainText('The tool answered');
  await chat.settled();
  const ledgerBefore = (await readView(app.window, 'egress')).ledgerCount;
  expect(ledgerBefore).toBeGreaterThan(0);
  const toolsBefore = await readView(app.window, 'tools');
  await app.quit();

  await app.start();
  const [server] = await readView(app.window, 'servers');
  expect(server).toMatchObject({ name: 'Notes', enabled: true, status: { kind: 'on', connected: false }, toolsOffered: 3 });
  // What each tool costs is counted anew, in a thread of its own (R7).
  await expect.poll(() => readView(app.window, 'tools')).toEqual(toolsBefore);
  expect((await readView(app.window, 'egress')).ledgerCount).toBe(ledgerBefore);
  expect((await readView(app.window, 'egress')).chainProblem).toBeNull();
  expect(processesWith(folder)).toEqual([]);

  const again = new ChatPage(app.window);
  await app.window.getByRole('button', { name: /^call notes__read_page/ }).click();
  await expect(again.conversation).toContainText('The tool answered');
  await expect(again.line('Notes', 'read_page')).toHaveCount(1);
  expect(processesWith(folder)).toEqual([]);

  // A grant for this chat ended with the app, so it asks again; only then does the program run.
  await again.send(READ);
  await new ToolSheet(app.window, 'read_page').allowOnce();
  await expect(again.line('Notes', 'read_page')).toHaveCount(2);
  await expect(again.line('Notes', 'read_page').nth(1)).toContainText('runs here');
  expect(processesWith(folder)).toHaveLength(1);
});
