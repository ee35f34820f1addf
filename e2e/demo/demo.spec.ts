import { join } from 'node:path';
import { expect, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { GrantsPage } from '../pages/grants-page';
import { ModelsPage } from '../pages/models-page';
import { ServerPage } from '../pages/server-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';
import { ToolRunner } from '../pages/tool-runner';
import type { RunningApp } from '../running-app';
import { album } from './album';

test('the main job, from the first start to an answer, in pictures', async ({ app, folder, everything, model }) => {
  const { window } = app;
  const servers = new ServersPage(window);
  const chat = new ChatPage(window);
  const runner = new ToolRunner(window);
  const picture = album(app);
  await app.setTheme('light');

  await test.step('the first start', async () => {
    await expect(window.getByRole('heading', { name: 'The gate is down.' })).toBeVisible();
    await picture('first-run');
  });

  const files = new ServerPage(window, 'Files');
  await test.step('the sample server on one folder', async () => {
    await app.folderDialogPicks(folder);
    await window.getByRole('button', { name: 'Open a folder…' }).click();
    await expect(files.title).toBeVisible();
    await picture('server-added-off');
    const sheet = await files.review();
    await expect(sheet.look).toHaveAttribute('aria-disabled', 'false');
    await picture('launch-review');
    await sheet.allow();
    await files.tick(['move_file']);
    await picture('look-at-tools');
    await files.turnOn();
  });

  await test.step('a server by its address', async () => {
    await servers.type(everything.address, 'Everything');
    await picture('add-server');
    await servers.addButton.click();
    const page = new ServerPage(window, 'Everything');
    const sheet = await page.review();
    await expect(sheet.look).toHaveAttribute('aria-disabled', 'false');
    await picture('address-review');
    await sheet.allow();
    await page.tick();
    await page.turnOn();
  });

  await test.step('one tool off again', async () => {
    await servers.openServer('Files');
    await files.toolSwitch('write_file').click();
    await expect(files.toolSwitch('write_file')).not.toBeChecked();
    await files.title.scrollIntoViewIfNeeded();
    await picture('server-page');
    await files.toolSwitch('write_file').click();
    await expect(files.toolSwitch('write_file')).toBeChecked();
  });

  await test.step('a tool by hand', async () => {
    await chat.backToChats();
    await picture('no-model');
    await runner.open();
    const form = await runner.choose('read_text_file');
    await form.getByLabel('path').fill(join(folder, 'meeting-2026-11-12.md'));
    await picture('run-a-tool');
    await runner.run('read_text_file');
    const sheet = new ToolSheet(window, 'read_text_file');
    await expect(sheet.runOnce).toHaveAttribute('aria-disabled', 'false');
    await picture('approval');
    await sheet.allowOnce();
    await expect(chat.line('Files', 'read_text_file')).toContainText('runs here');
  });

  const models = new ModelsPage(window);
  await test.step('a model on this computer', async () => {
    const scripted = { name: 'Local model', address: model.address, model: 'scripted-1' };
    await models.fill(scripted);
    await picture('add-model');
    await models.form.getByRole('button', { name: 'Add it, off' }).click();
    await models.switchOf(scripted.name).click();
    await expect(models.switchOf(scripted.name)).toBeChecked();
    await picture('models');
  });

  await test.step('a message that needs two tools', async () => {
    await chat.startNew();
    await chat.send(
      [
        'What is planned, and note that I have read it.',
        `call files__list_directory ${JSON.stringify({ path: folder })}`,
        `call files__write_file ${JSON.stringify({ path: join(folder, 'read.md'), content: 'Read on 12 November.\n' })}`,
      ].join('\n'),
    );
    const list = new ToolSheet(window, 'list_directory');
    await expect(list.runOnce).toHaveAttribute('aria-disabled', 'false');
    await picture('approval-with-one-behind');
    await list.sheet.getByRole('button', { name: 'More ways to allow' }).click();
    await picture('approval-always');
    await list.sheet.getByRole('button', { name: 'Always for this tool' }).click();
    await expect(list.sheet).toBeHidden();
    const write = new ToolSheet(window, 'write_file');
    await expect(write.sheet).toBeVisible();
    await picture('approval-destructive');
    await write.sheet.getByRole('button', { name: 'Why is it asking?' }).click();
    await write.sheet.getByRole('button', { name: 'Say why not…' }).click();
    await write.sheet.getByRole('textbox', { name: 'Why not' }).fill('Leave the folder as it is.');
    await picture('approval-refused-with-a-reason');
    await write.dontRun.click();
    await expect(write.sheet).toBeHidden();
    await expect(chat.conversation).toContainText('That call was not run');
    await chat.settled();
    await picture('chat');
    await chat.open(chat.line('Files', 'list_directory'));
    await picture('tool-line-open');
  });

  await test.step('what left, what runs', async () => {
    await chatGate(app);
    await picture('gate');
    await window.keyboard.press('Escape');
    await window.getByRole('button', { name: 'Privacy' }).click();
    await expect(window.getByRole('heading', { name: 'Right now nothing leaves this computer.' })).toBeVisible();
    await picture('privacy');
    await servers.open();
    await picture('servers');
    await (await servers.openServer('Files')).openTab('Log');
    await picture('server-log');
    await files.openTab('Trust');
    await picture('server-trust');
    await new GrantsPage(window).open();
    await picture('grants');
  });

  await test.step('the same in the dark', async () => {
    await app.setTheme('dark');
    await servers.open();
    await picture('servers');
    await servers.openServer('Files');
    await picture('server-page');
    await models.open();
    await picture('models');
    await new GrantsPage(window).open();
    await picture('grants');
    await window.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Privacy' }).click();
    await picture('privacy');
    await chat.backToChats();
    await chat.conversation.waitFor();
    await picture('chat');
    await runner.open();
    await runner.choose('write_file');
    await picture('run-a-tool');
    await runner.form('write_file').getByLabel('path').fill(join(folder, 'x.md'));
    await runner.form('write_file').getByLabel('content').fill('Two\nlines');
    await runner.run('write_file');
    const sheet = new ToolSheet(window, 'write_file');
    await expect(sheet.sheet).toBeVisible();
    await picture('approval-destructive');
    await sheet.refuse();
    await servers.addTyped(`npx -y some-server@latest ${folder}`, 'Floating');
    const review = await new ServerPage(window, 'Floating').review();
    await expect(review.look).toHaveAttribute('aria-disabled', 'false');
    await picture('launch-review-with-flags');
    await review.keepOff.click();
  });
});

async function chatGate(app: RunningApp): Promise<void> {
  await app.window.getByRole('button', { name: /^Gate:/ }).click();
  await expect(app.window.getByRole('dialog', { name: 'Gate' })).toBeVisible();
}
