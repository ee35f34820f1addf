import { eventually, isRunning } from '../../test/support/processes';
import { expect, notesCommand, test } from '../harness';
import { ServerPage } from '../pages/server-page';
import { ServersPage } from '../pages/servers-page';
import { processesWith } from '../processes';
import { readView } from '../read-state';
import type { RunningApp } from '../running-app';

test.beforeEach(async ({ app, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes', ['tell_token']);
});

async function edit(app: RunningApp, change: () => Promise<void>): Promise<void> {
  await app.window.getByRole('main').getByRole('button', { name: 'Acts on Notes' }).click();
  await app.window.getByRole('menuitem', { name: 'Rename or edit' }).click();
  await change();
  await app.window.getByRole('main').getByRole('button', { name: /^Save/ }).click();
  await expect(app.window.getByRole('tab', { name: 'Tools' })).toBeVisible();
}

test('S3, N6: renaming changes nothing else: it stays on, it keeps running, and its tools keep their switches', async ({
  app,
  folder,
}) => {
  const before = processesWith(folder);
  await edit(app, () => app.window.getByRole('textbox', { name: 'Name', exact: true }).fill('Notebook'));
  const page = new ServerPage(app.window, 'Notebook');
  await expect(page.serverSwitch).toBeChecked();
  await expect(page.toolSwitch('read_page')).toBeChecked();
  await expect(page.toolSwitch('tell_token')).not.toBeChecked();
  expect(processesWith(folder)).toEqual(before);
});

test('S3, T2: another argument turns it off at once, and the next review says that it changed', async ({ app, folder }) => {
  const [pid = 0] = processesWith(folder);
  await edit(app, () => app.window.getByRole('textbox', { name: 'argument 2', exact: true }).fill(`${folder}-elsewhere`));
  const page = new ServerPage(app.window, 'Notes');
  await expect(page.serverSwitch).not.toBeChecked();
  await eventually(() => !isRunning(pid));
  expect((await readView(app.window, 'tools')).filter(({ state }) => state === 'on')).toEqual([]);

  const sheet = await page.review();
  await expect(sheet.sheet).toContainText('The command changed since you approved it');
  await expect(sheet.sheet.getByRole('list', { name: 'Command' })).toContainText(`${folder}-elsewhere`);
  await sheet.keepOff.click();
  expect(processesWith(folder)).toEqual([]);
});

test('T4: revoking stops it, and it asks before it starts again', async ({ app, folder }) => {
  const page = new ServerPage(app.window, 'Notes');
  const [pid = 0] = processesWith(folder);
  await page.openTab('Trust');
  await app.window.getByRole('button', { name: 'Revoke…' }).click();
  const asked = app.window.getByRole('alertdialog', { name: 'Revoke the approval of Notes?' });
  await expect(asked.getByRole('button', { name: 'Keep it' })).toBeFocused();
  await asked.getByRole('button', { name: 'Revoke' }).click();
  await expect(app.window.getByText('Stopped. Asks before it starts again.')).toBeVisible();
  await expect(page.serverSwitch).not.toBeChecked();
  await eventually(() => !isRunning(pid));
  await (await page.review()).keepOff.click();
});

test('S11: a removed server leaves nothing behind: added again under its name, it is off and unreviewed', async ({
  app,
  folder,
}) => {
  const [pid = 0] = processesWith(folder);
  const servers = new ServersPage(app.window);
  await app.window.getByRole('main').getByRole('button', { name: 'Acts on Notes' }).click();
  await app.window.getByRole('menuitem', { name: 'Remove…' }).click();
  await app.window.getByRole('alertdialog', { name: 'Remove Notes?' }).getByRole('button', { name: 'Remove' }).click();
  await expect(servers.addField).toBeVisible();
  await expect(servers.row('Notes')).toHaveCount(0);
  await eventually(() => !isRunning(pid));
  expect(await readView(app.window, 'tools')).toEqual([]);

  await servers.addTyped(notesCommand(folder), 'Notes');
  const page = new ServerPage(app.window, 'Notes');
  const sheet = await page.review();
  await expect(sheet.sheet).not.toContainText('changed since');
  await sheet.allow();
  await expect(page.look.getByRole('checkbox', { name: 'Offer read_page' })).not.toBeChecked();
});
