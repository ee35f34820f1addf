import { AxeBuilder } from '@axe-core/playwright';
import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';
import type { RunningApp } from '../running-app';

const SAID = 'The page plan says: buy milk.';

async function noBarriers(app: RunningApp): Promise<void> {
  const { violations } = await new AxeBuilder({ page: app.window }).setLegacyMode(true).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
}

test.beforeEach(async ({ app, model, folder }) => {
  const servers = new ServersPage(app.window);
  for (const name of ['Notes', 'Tracker']) {
    await servers.addTyped(notesCommand(`${folder}/${name}`), name);
    await servers.turnOn(name);
  }
  await new ModelsPage(app.window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
  await new ChatPage(app.window).startNew();
});

test('A6, X9, H11: a granted tool asks after a result of another server, names it, shows its words, and not again', async ({
  app,
}) => {
  const { window } = app;
  const chat = new ChatPage(window);
  const sheet = new ToolSheet(window, 'read_page');
  const read = async (server: 'notes' | 'tracker', page: string): Promise<void> => {
    await chat.send(`call ${server}__read_page ${JSON.stringify({ page })}`);
    await expect(chat.message).toHaveValue('');
  };
  const answered = async (page: string): Promise<void> => {
    await expect(chat.conversation).toContainText(`The page ${page} says: buy milk.`);
    await chat.settled();
  };

  await test.step('A1: allowed in this chat, it runs by itself, and its own words hold nothing', async () => {
    await read('tracker', 'one');
    await expect(sheet.sheet).toContainText('Tracker wants to run');
    await expect(sheet.sheet).not.toContainText('Text from');
    await sheet.runInThisChat.click();
    await answered('one');
    await read('tracker', 'two');
    await answered('two');
  });

  await test.step('A6: text of A comes in', async () => {
    await read('notes', 'plan');
    await expect(sheet.sheet).toContainText('Text from Tracker · read_page (2 results) is in this chat');
    await sheet.allowOnce();
    await answered('plan');
  });

  await test.step('A6: B asks though it is granted, names A, and says where A’s words stand', async () => {
    await read('tracker', `${'line\n'.repeat(40)}${SAID}`);
    await expect(sheet.sheet).toContainText(
      'Contains text from Notes · read_page, read in this chat. It is underlined below, in page.',
    );
    await expect(sheet.argument('page').locator('mark')).toHaveText(SAID);
    await expect(sheet.argument('page').locator('mark')).not.toBeInViewport();
    await noBarriers(app);
    await sheet.sheet.getByRole('button', { name: 'As one text' }).click();
    await sheet.sheet.getByRole('button', { name: 'Show text from Notes in page' }).click();
    await expect(sheet.argument('page').locator('mark')).toBeInViewport();
    await expect(sheet.argument('page')).toBeFocused();
    await sheet.sheet.getByRole('button', { name: 'Why is it asking?' }).click();
    await expect(sheet.sheet.getByRole('list', { name: 'Why it is asking' })).toContainText('Text from Notes · read_page');
    await sheet.allowOnce();
    await chat.settled();
  });

  await test.step('A6: answered once, it does not ask again for that source', async () => {
    await read('tracker', 'four');
    await answered('four');
    await expect(sheet.sheet).toBeHidden();
  });

  await test.step('A6: a tool the user marked “reads only” is not held by what comes in later', async () => {
    const page = await new ServersPage(window).openServer('Tracker');
    await page.openTab('Tools');
    await window.getByRole('button', { name: 'Show definition of read_page' }).click();
    await window.getByRole('checkbox', { name: 'I say that read_page only reads' }).click();
    await expect(window.getByRole('checkbox', { name: 'I say that read_page only reads' })).toBeChecked();
    await expect(window.getByText('only reads, you say')).toBeVisible();
    await noBarriers(app);
    await chat.backToChats();
    await read('notes', 'more');
    await sheet.allowOnce();
    await answered('more');
    await read('tracker', 'five');
    await answered('five');
    await expect(sheet.sheet).toBeHidden();
    await expect(chat.line('Tracker', 'read_page').last()).toContainText('runs here');
  });
});

test('A4: autopilot says what it does not reach, and an MCP call without a grant still asks', async ({ app }) => {
  const { window } = app;
  const chat = new ChatPage(window);
  await window.getByRole('button', { name: 'autopilot off' }).click();
  const panel = window.getByRole('dialog', { name: 'Autopilot in this chat' });
  await expect(panel).toContainText('MCP tools still ask, unless you allowed that tool.');
  await panel.getByRole('switch', { name: 'Autopilot in this chat' }).click();
  await expect(panel.getByRole('switch', { name: 'Autopilot in this chat' })).toBeChecked();
  await noBarriers(app);
  await window.keyboard.press('Escape');
  await expect(window.getByRole('button', { name: 'autopilot on' })).toBeVisible();

  await chat.send('call notes__read_page {"page":"one"}');
  const sheet = new ToolSheet(window, 'read_page');
  await expect(sheet.sheet).toBeVisible();
  await sheet.refuse();
  await expect(chat.line('Notes', 'read_page')).toContainText('not run');

  await chat.startNew();
  await expect(window.getByRole('button', { name: 'autopilot off' }), 'it is for one chat').toBeVisible();
});
