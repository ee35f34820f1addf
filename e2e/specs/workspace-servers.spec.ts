import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { expect, test } from '../harness';
import { ServerPage } from '../pages/server-page';
import { ServersPage } from '../pages/servers-page';
import { LaunchSheet } from '../pages/sheets';
import { processesWith } from '../processes';
import { readView } from '../read-state';

const PROGRAM = resolve(import.meta.dirname, '../peers/notes-server.mjs');
/** Once what was edited is seen, nothing is to start; this is how long one looks. */
const A_WHILE_MS = 1_500;

const entryFor = (folder: string, ...more: string[]) => ({ command: 'node', args: [PROGRAM, folder, ...more] });
const writeEntries = (folder: string, servers: object) =>
  writeFileSync(join(folder, '.mcp.json'), `// of this project\n${JSON.stringify({ mcpServers: servers })}`);
const folderRow = (window: Page, folder: string) => window.getByRole('listitem').filter({ hasText: folder });
const openFolder = (window: Page) => window.getByRole('button', { name: 'Open a folder…' }).click();
const statusOf = async (window: Page, name: string) =>
  (await readView(window, 'servers')).find((server) => server.name === name)?.status;

test('T3, S7, T4: a server of a workspace file starts only after its folder is trusted and its literal line was seen', async ({
  app,
  folder,
}) => {
  const { window } = app;
  writeEntries(folder, { Notes: { ...entryFor(folder, 'a b'), autoApprove: ['*'], disabled: false, enabled: true } });
  const before = readdirSync(folder);
  const servers = new ServersPage(window);
  await servers.open();
  await app.folderDialogPicks(folder);
  await openFolder(window);
  await expect(servers.row('Notes')).toContainText('from the workspace notes');
  await expect(servers.switchOf('Notes')).not.toBeChecked();
  await expect(folderRow(window, folder)).toContainText('1 server in .mcp.json');
  await delay(A_WHILE_MS);
  expect(processesWith(folder)).toEqual([]);

  const trust = window.getByRole('alertdialog', { name: 'Trust this folder to bring servers?' });
  await servers.switchOf('Notes').click();
  await expect(trust).toContainText(folder);
  await trust.getByRole('button', { name: 'Don’t trust it' }).click();
  await expect(trust).toBeHidden();
  await expect(new LaunchSheet(window, 'Notes').sheet).toBeHidden();
  expect(await statusOf(window, 'Notes')).toEqual({ kind: 'off' });

  await servers.switchOf('Notes').click();
  await trust.getByRole('button', { name: 'Trust the folder' }).click();
  const { sheet, look } = new LaunchSheet(window, 'Notes');
  await expect(look).toBeVisible();
  for (const literal of [PROGRAM, folder, 'a b', `.mcp.json of the workspace ${folder}`])
    await expect(sheet).toContainText(literal);
  expect(processesWith(folder)).toEqual([]);
  await new LaunchSheet(window, 'Notes').allow();
  const page = new ServerPage(window, 'Notes');
  await page.tick();
  await page.turnOn();
  expect(processesWith(folder)).toHaveLength(1);

  // Another line in the file is another thing to approve, and what ran is ended.
  writeEntries(folder, { Notes: entryFor(folder, 'other'), More: entryFor(folder, 'more') });
  await expect.poll(() => statusOf(window, 'Notes')).toEqual({ kind: 'needs-review', because: 'changed-since-approved' });
  await expect.poll(() => processesWith(folder)).toEqual([]);
  expect(await statusOf(window, 'More')).toEqual({ kind: 'off' });

  await servers.open();
  await (await servers.review('Notes')).allow();
  await page.tick();
  await page.turnOn();
  expect(processesWith(folder)).toHaveLength(1);
  await servers.open();
  await window.getByRole('button', { name: `Revoke the trust in ${folder}` }).click();
  await expect(folderRow(window, folder)).toContainText('not trusted');
  await expect.poll(() => processesWith(folder)).toEqual([]);
  await expect(servers.switchOf('Notes')).not.toBeChecked();

  rmSync(join(folder, '.mcp.json'));
  await expect(servers.row('Notes')).toHaveCount(0);
  await expect(folderRow(window, folder)).toContainText('lists no server');
  expect(readdirSync(folder)).toEqual(before.filter((name) => name !== '.mcp.json'));
});

test('T3, S7: what a folder lists is there after a restart, off, and goes when the folder is closed', async ({ app, folder }) => {
  writeEntries(folder, { Notes: entryFor(folder) });
  const open = async () => {
    const servers = new ServersPage(app.window);
    await servers.open();
    return servers;
  };
  await open();
  await app.folderDialogPicks(folder);
  await openFolder(app.window);
  await expect((await open()).row('Notes')).toBeVisible();
  await app.quit();
  writeEntries(folder, { Notes: entryFor(folder), Later: { ...entryFor(folder), enabled: true } });
  await app.start();
  const servers = await open();
  await expect(servers.switchOf('Later')).not.toBeChecked();
  await app.window.getByRole('button', { name: `Close ${folder}` }).click();
  await app.window.getByRole('alertdialog').getByRole('button', { name: 'Close', exact: true }).click();
  await expect(app.window.getByText('No folder is open.')).toBeVisible();
  expect(await readView(app.window, 'servers')).toEqual([]);
  expect(processesWith(folder)).toEqual([]);
  expect(readFileSync(join(folder, '.mcp.json'), 'utf8')).toContain('Later');
});

test('G8: the home folder is not opened as a workspace', async ({ app }) => {
  const home = await app.ask(({ app: running }) => running.getPath('home'));
  await new ServersPage(app.window).open();
  await app.folderDialogPicks(home);
  await openFolder(app.window);
  await expect(app.window.getByRole('alert')).toContainText('This folder holds your whole home folder');
  expect(await readView(app.window, 'workspaces')).toEqual([]);
});
