import { join } from 'node:path';
import { existsSync } from 'node:fs';
import { expect, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServerPage } from '../pages/server-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';
import { ToolRunner } from '../pages/tool-runner';
import { processesWith } from '../processes';
import { readView } from '../read-state';

test('S1, R4, A1: from the first start to an answer: add, review, look, turn on, allow one call and refuse another', async ({
  app,
  folder,
  model,
}) => {
  const { window } = app;
  const chat = new ChatPage(window);
  const files = new ServerPage(window, 'Files');
  const list = `call files__list_directory ${JSON.stringify({ path: folder })}`;
  const written = join(folder, 'new.md');
  const write = `call files__write_file ${JSON.stringify({ path: written, content: 'never written' })}`;

  await test.step('S1: it is added off, and nothing runs', async () => {
    await app.folderDialogPicks(folder);
    await window.getByRole('button', { name: 'Open a folder…' }).click();
    await expect(files.title).toBeVisible();
    await expect(files.serverSwitch).not.toBeChecked();
    expect(processesWith(folder)).toEqual([]);
  });

  await test.step('T1: the review shows every part of what would run; keeping it off runs nothing', async () => {
    const sheet = await files.review();
    await expect(sheet.keepOff).toBeFocused();
    await expect(sheet.sheet.getByRole('list', { name: 'Command' })).toContainText(folder);
    await sheet.keepOff.click();
    await expect(sheet.sheet).toBeHidden();
    expect(processesWith(folder)).toEqual([]);
    await expect(files.serverSwitch).not.toBeChecked();
  });

  await test.step('R4: while it is looked at it offers nothing, and no box is ticked', async () => {
    await (await files.review()).allow();
    await expect(files.look.getByRole('checkbox', { name: 'Offer list_directory', exact: true })).not.toBeChecked();
    expect(await files.look.getByRole('checkbox', { checked: true }).count()).toBe(0);
    expect(processesWith(folder)).toHaveLength(1);
    expect((await readView(window, 'tools')).filter(({ state }) => state === 'on')).toEqual([]);
    await files.tick(['move_file', 'edit_file']);
    await files.turnOn();
  });

  await test.step('R4: only ticked tools are on', async () => {
    const on = (await readView(window, 'tools')).filter(({ state }) => state === 'on').map(({ rawName }) => rawName);
    expect(on).toContain('list_directory');
    expect(on).not.toContain('move_file');
    await expect(files.toolSwitch('move_file')).not.toBeChecked();
  });

  await test.step('P1: a model is off until it is turned on', async () => {
    await new ModelsPage(window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
    expect(await model.requests()).toEqual([]);
  });

  await test.step('A1: each call asks; one runs, one is refused with a reason that the model reads', async () => {
    await chat.startNew();
    await chat.send(`${list}\n${write}`);
    const first = new ToolSheet(window, 'list_directory');
    await expect(first.argument('path')).toHaveText(folder);
    await first.allowOnce();
    await new ToolSheet(window, 'write_file').refuse('Nothing is written today.');
    await expect(chat.conversation).toContainText('That call was not run');
    await chat.settled();

    const result = await chat.open(chat.line('Files', 'list_directory'));
    await expect(result.getByRole('region', { name: 'Result' })).toContainText('shopping.txt');
    await expect(chat.line('Files', 'write_file')).toContainText('not run: you said no');
    expect(existsSync(written)).toBe(false);
  });

  await test.step('A8, O2: the model was given one result for each call, in its frame', async () => {
    const results = (await model.requests()).at(-1)?.body.messages.filter(({ role }) => role === 'tool') ?? [];
    expect(results).toHaveLength(2);
    expect(String(results[0]?.content)).toMatch(/^<tool_output [^>]*>\n[\s\S]*shopping\.txt[\s\S]*<\/tool_output/);
    expect(String(results[1]?.content)).toContain('Nothing is written today.');
  });

  await test.step('R2: a tool switched off is not offered to the next message', async () => {
    await new ServersPage(window).openServer('Files');
    await files.toolSwitch('list_directory').click();
    await expect(files.toolSwitch('list_directory')).not.toBeChecked();
    await chat.backToChats();
    await chat.send(list);
    await expect(chat.line('Files', 'list_directory').or(chat.line('Portcullis', 'files__list_directory')).last()).toContainText(
      'not run',
    );
    await chat.settled();
    await expect(window.getByRole('alertdialog')).toHaveCount(0);
  });

  await test.step('P4: the ledger has each request, and nothing left this computer', async () => {
    await window.getByRole('button', { name: 'Privacy' }).click();
    await expect(window.getByRole('heading', { name: 'Right now nothing leaves this computer.' })).toBeVisible();
    const rows = window.getByRole('region', { name: 'Ledger' }).getByRole('row');
    await expect(rows.filter({ hasText: 'Files' })).not.toHaveCount(0);
    await expect(rows.filter({ hasText: 'Scripted' })).not.toHaveCount(0);
  });
});

test('A1: a tool run by hand meets the same sheet, and “in this chat” covers that tool alone', async ({ app, everything }) => {
  const { window } = app;
  const servers = new ServersPage(window);
  const chat = new ChatPage(window);
  const runner = new ToolRunner(window);
  await servers.addTyped(everything.address, 'Everything');
  await servers.turnOn('Everything');
  await chat.backToChats();

  const echo = async (message: string): Promise<void> => {
    await runner.open();
    const form = await runner.choose('echo');
    await form.getByLabel('message').fill(message);
    await runner.run('echo');
  };
  await echo('first');
  const sheet = new ToolSheet(window, 'echo');
  await expect(sheet.argument('message')).toHaveText('first');
  await sheet.runInThisChat.click();
  await expect(chat.line('Everything', 'echo')).toHaveCount(1);
  await expect(chat.line('Everything', 'echo')).toContainText('stays here');

  await echo('second');
  await expect(chat.line('Everything', 'echo')).toHaveCount(2);
  await expect(sheet.sheet).toBeHidden();

  await runner.open();
  const form = await runner.choose('get-sum');
  await form.getByLabel('a', { exact: true }).fill('1');
  await form.getByLabel('b', { exact: true }).fill('2');
  await runner.run('get-sum');
  await new ToolSheet(window, 'get-sum').refuse();

  await chat.startNew();
  await echo('in another chat');
  await expect(sheet.sheet).toBeVisible();
  await sheet.refuse();
});
