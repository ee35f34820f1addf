import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { GrantsPage } from '../pages/grants-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';
import { processesWith } from '../processes';
import { readView } from '../read-state';
import type { RunningApp } from '../running-app';

const READ = 'call notes__read_page {"page":"first"}';

test.beforeEach(async ({ app, model, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes');
  await new ModelsPage(app.window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
});

/** A model asks for the tool in a chat of its own. */
async function askInNewChat(app: RunningApp): Promise<ChatPage> {
  const chat = new ChatPage(app.window);
  await chat.startNew();
  await chat.send(READ);
  return chat;
}

async function runsWithoutAsking(app: RunningApp): Promise<void> {
  const chat = await askInNewChat(app);
  await expect(chat.line('Notes', 'read_page')).toContainText('runs here');
  await expect(new ToolSheet(app.window, 'read_page').sheet).toBeHidden();
  await chat.settled();
}

async function asks(app: RunningApp): Promise<void> {
  await askInNewChat(app);
  await new ToolSheet(app.window, 'read_page').refuse();
}

test('A1, S10: “Always for this tool” runs it in every chat, also after a restart, until it is taken back', async ({
  app,
  folder,
}) => {
  await askInNewChat(app);
  const sheet = new ToolSheet(app.window, 'read_page');
  await expect(sheet.sheet.getByText('The server does not say whether this tool changes things.')).toBeHidden();
  await sheet.sheet.getByRole('button', { name: 'More ways to allow' }).click();
  await expect(sheet.sheet.getByText('The server does not say whether this tool changes things.')).toBeVisible();
  await sheet.sheet.getByRole('button', { name: 'Always for this tool' }).click();
  await expect(sheet.sheet).toBeHidden();
  await runsWithoutAsking(app);
  await app.quit();

  await app.start();
  await runsWithoutAsking(app);
  const grants = new GrantsPage(app.window);
  await grants.open();
  for (const words of ['always, when a model calls', folder, 'Notes', '2 times'])
    await expect(grants.row('read_page')).toContainText(words);
  const page = await new ServersPage(app.window).openServer('Notes');
  await expect(app.window.getByRole('combobox', { name: 'Policy for read_page' })).toHaveValue('allowed');
  await expect(app.window.getByRole('combobox', { name: 'Policy for wait' })).toHaveValue('ask');
  await expect(app.window.getByRole('combobox', { name: 'Policy for delete_page' })).toBeDisabled();
  await expect(page.serverSwitch).toBeChecked();

  await grants.open();
  await grants.revoke('read_page');
  await asks(app);
});

test('S10, X1: a grant that a program wrote into trust.json allows nothing', async ({ app, profile }) => {
  await askInNewChat(app);
  await new ToolSheet(app.window, 'read_page').allowAlways();
  await app.quit();
  const file = join(profile, 'trust.json');
  const written = JSON.parse(readFileSync(file, 'utf8'));
  const [grant] = Object.values<{ value: { rawName: string; id: string } }>(written.grants);
  expect(grant?.value.rawName).toBe('read_page');
  grant!.value.rawName = 'wait';
  writeFileSync(file, JSON.stringify(written));

  await app.start();
  expect(await readView(app.window, 'grants')).toEqual({ rows: [], unsealed: 1 });
  const grants = new GrantsPage(app.window);
  await grants.open();
  await expect(app.window.getByText('1 grant needs review')).toBeVisible();
  await expect(app.window.getByText('trust.json was changed outside of this app')).toBeVisible();
  // Nor does anything else in that file count: the server is to be reviewed again.
  const [server] = await readView(app.window, 'servers');
  expect(server).toMatchObject({ status: { kind: 'needs-review' }, toolsOffered: 0 });
});

test('T4: revoking everything stops every server, and each asks before it starts again', async ({ app, folder }) => {
  await askInNewChat(app);
  await new ToolSheet(app.window, 'read_page').allowAlways();
  await new ChatPage(app.window).settled();
  expect(processesWith(folder)).toHaveLength(1);
  const grants = new GrantsPage(app.window);
  await grants.open();
  await expect(grants.launches).toContainText('Notes');
  await grants.revokeEverything();
  await expect(app.window.getByText('Every server is stopped. Each asks before it starts again.')).toBeVisible();
  await expect.poll(() => processesWith(folder)).toEqual([]);
  await expect(grants.launches).toContainText('Nothing is approved to run or be contacted.');
  expect(await readView(app.window, 'grants')).toEqual({ rows: [], unsealed: 0 });

  await (await new ServersPage(app.window).review('Notes')).allow();
  // The review of its tools is gone as well: every box is empty again.
  const look = (await new ServersPage(app.window).openServer('Notes')).look;
  await expect(look.getByRole('checkbox', { name: 'Offer read_page', exact: true })).not.toBeChecked();
});

test('R4: what its server changed ends a grant, and the page says why', async ({ app, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(`node ${resolve(import.meta.dirname, '../peers/changing-server.mjs')} ${folder}`, 'Mail');
  await servers.turnOn('Mail');
  const policy = app.window.getByRole('combobox', { name: 'Policy for send_email' });
  await policy.selectOption('Allowed');
  await app.window.getByRole('button', { name: 'Always for this tool' }).click();
  await expect(policy).toHaveValue('allowed');
  const grants = new GrantsPage(app.window);
  await grants.open();
  await expect(grants.row('send_email')).toContainText('always, when a model calls');
  await app.quit();

  writeFileSync(join(folder, 'changed'), '');
  await app.start();
  await new ChatPage(app.window).startNew();
  await new ChatPage(app.window).send('call mail__send_email {"to":"a@mail.example"}');
  // The new process is asked for its list before the call, which is what ends the grant (X23).
  await expect(new ChatPage(app.window).conversation).toContainText('not run: this tool is not on');
  const after = new GrantsPage(app.window);
  await after.open();
  await expect(after.row('send_email')).toContainText('ended: the tool changed');
  await after.row('send_email').getByRole('button', { name: 'Review send_email' }).click();
  await expect(app.window.getByRole('heading', { name: 'Mail', level: 2 })).toBeVisible();
});
