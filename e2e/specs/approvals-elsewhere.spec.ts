import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { LaunchSheet, ToolSheet } from '../pages/sheets';
import { readView } from '../read-state';

const READ = 'call notes__read_page {"page":"first"}';

test('A2, A5: a call that waits in a chat out of sight keeps no launch review from being answered', async ({
  app,
  model,
  folder,
}) => {
  const servers = new ServersPage(app.window);
  const chat = new ChatPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes');
  await servers.addTyped(notesCommand(`${folder} second`), 'Second');
  await new ModelsPage(app.window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
  await chat.startNew();
  await chat.message.fill(READ);
  // The chat is left in the same moment as the message is sent.
  await app.window.evaluate(() => {
    document.querySelector<HTMLElement>('form[aria-label="Message"] button[type="submit"]')?.click();
    [...document.querySelectorAll<HTMLElement>('nav button')].find((button) => button.innerText.includes('Settings'))?.click();
  });
  await expect.poll(async () => (await readView(app.window, 'approvals')).length).toBe(1);
  await expect(app.window.getByRole('alertdialog')).toHaveCount(0);

  await (await servers.review('Second')).allow();
  await expect(app.window.getByRole('region', { name: 'Look at its tools' })).toBeVisible();

  await app.window.getByRole('button', { name: /^Gate:/ }).click();
  await app.window.getByRole('dialog', { name: 'Gate' }).getByRole('button', { name: 'Review' }).click();
  const sheet = new ToolSheet(app.window, 'read_page');
  await sheet.allowOnce();
  await expect(chat.line('Notes', 'read_page')).toContainText('runs here');
});

test('A2: closing a launch review keeps the server off', async ({ app, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.review('Notes');
  const sheet = new LaunchSheet(app.window, 'Notes');
  await expect(sheet.sheet).toBeVisible();
  await app.window.keyboard.press('Escape');
  await expect(sheet.sheet).toBeHidden();
  expect(await readView(app.window, 'approvals')).toEqual([]);
  await expect(servers.switchOf('Notes')).not.toBeChecked();
});
