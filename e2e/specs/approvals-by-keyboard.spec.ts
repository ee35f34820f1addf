import { ARMING_MS } from '../../src-shared/approvals/approval.schema';
import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';

test.beforeEach(async ({ app, model, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes');
  await new ModelsPage(app.window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
  await new ChatPage(app.window).startNew();
});

const READ = 'call notes__read_page {"page":"first"}';
const READ_TWICE = `${READ}\ncall notes__read_page {"page":"second"}`;

test('A5: the refusing button has the focus, and Enter refuses', async ({ app }) => {
  const chat = new ChatPage(app.window);
  const sheet = new ToolSheet(app.window, 'read_page');
  await chat.send(READ);
  await expect(sheet.dontRun).toBeFocused();
  await app.window.keyboard.press('Enter');
  await expect(sheet.sheet).toBeHidden();
  await expect(chat.line('Notes', 'read_page')).toContainText('not run: you said no');
});

test('A5: Escape refuses', async ({ app }) => {
  const chat = new ChatPage(app.window);
  const sheet = new ToolSheet(app.window, 'read_page');
  await chat.send(READ);
  await expect(sheet.dontRun).toBeFocused();
  await app.window.keyboard.press('Escape');
  await expect(sheet.sheet).toBeHidden();
  await expect(chat.line('Notes', 'read_page')).toContainText('not run: you said no');
});

test('A5: an allow button takes Enter once it is armed and was tabbed to, and not before', async ({ app }) => {
  const chat = new ChatPage(app.window);
  const { keyboard } = app.window;
  const sheet = new ToolSheet(app.window, 'read_page');
  await chat.send(READ);
  await expect(sheet.dontRun).toBeFocused();
  const shownAt = Date.now();
  await expect(sheet.runOnce).toHaveAttribute('aria-disabled', 'true');
  await keyboard.press('Tab');
  await expect(sheet.runOnce).toBeFocused();
  await keyboard.press('Enter');
  expect(Date.now() - shownAt, 'this pressed before the button was armed').toBeLessThan(ARMING_MS);
  await expect(sheet.runOnce).toHaveAttribute('aria-disabled', 'false');
  await expect(sheet.sheet).toBeVisible();

  await keyboard.press('Enter');
  await expect(sheet.sheet).toBeHidden();
  await expect(chat.line('Notes', 'read_page')).not.toContainText('not run');
});

test('A5: focus that a script moved to an allow button does not make Enter allow', async ({ app }) => {
  const chat = new ChatPage(app.window);
  const sheet = new ToolSheet(app.window, 'read_page');
  await chat.send(READ);
  await expect(sheet.runOnce).toHaveAttribute('aria-disabled', 'false');
  await sheet.runOnce.evaluate((button) => button.focus());
  await expect(sheet.runOnce).toBeFocused();
  await app.window.keyboard.press('Enter');
  await app.window.keyboard.press('Space');
  await expect(sheet.sheet).toBeVisible();
  await sheet.refuse();
});

test('A5: the next sheet waits behind, starts unarmed and with the focus on refusing', async ({ app }) => {
  const chat = new ChatPage(app.window);
  const { keyboard } = app.window;
  const sheet = new ToolSheet(app.window, 'read_page');
  await chat.send(READ_TWICE);
  await expect(sheet.sheet).toHaveCount(1);
  await expect(sheet.sheet).toContainText('1 of 2 waiting');
  await expect(sheet.argument('page')).toHaveText(/first/);
  await expect(sheet.runOnce).toHaveAttribute('aria-disabled', 'false');
  await keyboard.press('Tab');
  await keyboard.press('Enter');

  await expect(sheet.argument('page')).toHaveText(/second/);
  await expect(sheet.dontRun).toBeFocused();
  await keyboard.press('Enter');
  await expect(sheet.sheet).toBeHidden();
  await expect(chat.line('Notes', 'read_page').nth(1)).toContainText('not run: you said no');
  await expect(chat.line('Notes', 'read_page').nth(0)).not.toContainText('not run');
});

test('A3: a tool its server calls destructive runs only once its name is typed, and never for a whole chat', async ({ app }) => {
  const chat = new ChatPage(app.window);
  const { keyboard } = app.window;
  const sheet = new ToolSheet(app.window, 'delete_page');
  await chat.send('call notes__delete_page {"page":"old"}');
  await expect(sheet.sheet).toContainText('destroys, says the server');
  await expect(sheet.runInThisChat).toHaveCount(0);
  await expect(sheet.runOnce).toHaveAttribute('aria-disabled', 'true');
  const field = sheet.sheet.getByRole('textbox', { name: 'Type delete_page to run it' });
  await expect(sheet.dontRun).toBeFocused();
  await keyboard.press('Tab');
  await expect(field).toBeFocused();

  await keyboard.type('delete_pag');
  await app.window.waitForTimeout(ARMING_MS + 100);
  await expect(sheet.runOnce).toHaveAttribute('aria-disabled', 'true');
  await keyboard.type('e');
  await expect(sheet.runOnce).toHaveAttribute('aria-disabled', 'false');
  await keyboard.press('Tab');
  await keyboard.press('Enter');
  await expect(sheet.sheet).toBeHidden();
  const opened = await chat.open(chat.line('Notes', 'delete_page'));
  await expect(opened.getByRole('region', { name: 'Result' })).toContainText('deleted old');
});
