import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, notesCommand, test } from '../harness';
import { ServersPage } from '../pages/servers-page';
import { processesWith } from '../processes';
import { readView } from '../read-state';

/** Changes a store file while the app is closed, as any program could. */
function tamper(profile: string, name: string, change: (text: string) => string): void {
  const file = join(profile, name);
  const before = readFileSync(file, 'utf8');
  const after = change(before);
  expect(after, `${name} was changed`).not.toBe(before);
  writeFileSync(file, after);
}

test('X1, S10: a server that a program switched on in the file is not on', async ({ app, profile, folder }) => {
  await new ServersPage(app.window).addTyped(notesCommand(folder), 'Notes');
  await app.quit();
  tamper(profile, 'servers.json', (text) => text.replace(/"enabled":\s*false/, '"enabled": true'));

  await app.start();
  const [server] = await readView(app.window, 'servers');
  expect(server).toMatchObject({ name: 'Notes', status: { kind: 'needs-review', because: 'never-approved' }, toolsOffered: 0 });
  const page = new ServersPage(app.window);
  await page.open();
  await expect(page.row('Notes')).toContainText('needs review');
  expect(processesWith(folder)).toEqual([]);
});

test('T2, S3: a command that a program changed in the file does not run on the old approval', async ({
  app,
  profile,
  folder,
}) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes');
  await app.quit();
  tamper(profile, 'servers.json', (text) => text.replaceAll(JSON.stringify(folder), JSON.stringify(`${folder}-other`)));

  await app.start();
  const [server] = await readView(app.window, 'servers');
  expect(server).toMatchObject({ status: { kind: 'needs-review', because: 'changed-since-approved' }, toolsOffered: 0 });
  expect(processesWith(folder)).toEqual([]);
});

test('S10: an approval that was edited in the file reads as none', async ({ app, profile, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes');
  await app.quit();
  tamper(profile, 'trust.json', (text) => text.replace(/("approvedAt":\s*)\d+/, '$11'));

  await app.start();
  const [server] = await readView(app.window, 'servers');
  expect(server).toMatchObject({ status: { kind: 'needs-review' }, toolsOffered: 0 });
  expect(processesWith(folder)).toEqual([]);
});

test('S10: an approval from before it was revoked, put back by a program, starts nothing', async ({ app, profile, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  const page = await servers.turnOn('Notes');
  const copies = ['servers.json', 'trust.json'].map((name) => [join(profile, name), readFileSync(join(profile, name))] as const);
  const putBack = () => copies.forEach(([file, bytes]) => writeFileSync(file, bytes));
  await page.openTab('Trust');
  await app.window.getByRole('button', { name: 'Revoke…' }).click();
  await app.window.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
  await expect(page.serverSwitch).not.toBeChecked();

  putBack();
  await expect(app.window.getByText('trust.json is an older one than this app wrote')).toBeVisible();
  expect(processesWith(folder)).toEqual([]);

  await app.quit();
  putBack();
  await app.start();
  await expect(app.window.getByText('trust.json is an older one than this app wrote')).toBeVisible();
  const [server] = await readView(app.window, 'servers');
  expect(server).toMatchObject({ status: { kind: 'needs-review', because: 'never-approved' }, toolsOffered: 0 });
  expect(processesWith(folder)).toEqual([]);
  await new ServersPage(app.window).turnOn('Notes');
  await expect(app.window.getByText('trust.json is an older one')).toHaveCount(0);
  expect(processesWith(folder)).toHaveLength(1);
});
