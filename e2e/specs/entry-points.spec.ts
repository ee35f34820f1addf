import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Locator } from '@playwright/test';
import { expect, notesCommand, test } from '../harness';
import { ServersPage } from '../pages/servers-page';
import { processesWith } from '../processes';
import { readView } from '../read-state';

const PROGRAM = resolve(import.meta.dirname, '../peers/notes-server.mjs');
/** How long one looks for what is not to start. */
const A_WHILE_MS = 1_500;

/** An address on this computer that counts who connects. */
async function countedAddress() {
  let accepted = 0;
  const server = createServer((socket) => (accepted++, socket.destroy())).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  const { port } = server.address() as { port: number };
  return { address: `http://127.0.0.1:${port}/mcp`, accepted: () => accepted, close: () => server.close() };
}

interface StoredEntry {
  id: string;
  connection: { args: { kind: string; value: string }[] };
}

test('S7, S3, S11: the running app follows servers.json as another program changes it', async ({ app, profile, folder }) => {
  const { window } = app;
  const counted = await countedAddress();
  const servers = new ServersPage(window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes');
  expect(processesWith(folder)).toHaveLength(1);
  const file = join(profile, 'servers.json');
  const rewrite = (change: (entries: StoredEntry[]) => object[]) => {
    const { version, servers: entries } = JSON.parse(readFileSync(file, 'utf8')) as { version: 1; servers: StoredEntry[] };
    writeFileSync(file, JSON.stringify({ version, servers: change(entries) }));
    return entries[0]?.id ?? '';
  };
  const rowOf = async (name: string) => (await readView(window, 'servers')).find((row) => row.name === name);

  const added = { id: 'put-here', name: 'Added', namespace: 'added', enabled: true, trusted: true, seal: 'x' };
  const id = rewrite((entries) => [
    ...entries,
    { ...added, connection: { kind: 'http', endpoint: counted.address, headers: [] } },
  ]);
  await expect.poll(async () => (await rowOf('Added'))?.status).toEqual({ kind: 'needs-review', because: 'never-approved' });
  expect(processesWith(folder)).toHaveLength(1);

  rewrite(([notes, ...others]) => {
    if (!notes) throw new Error('Notes is not in the file');
    const args = [...notes.connection.args, { kind: 'literal', value: 'more' }];
    return [{ ...notes, connection: { ...notes.connection, args } }, ...others];
  });
  await expect
    .poll(async () => (await rowOf('Notes'))?.status)
    .toEqual({ kind: 'needs-review', because: 'changed-since-approved' });
  await expect.poll(() => processesWith(folder)).toEqual([]);

  const stillNaming = () =>
    readdirSync(profile).filter((name) => name.endsWith('.json') && readFileSync(join(profile, name), 'utf8').includes(id));
  expect(stillNaming()).toContain('trust.json');
  rewrite(([, ...others]) => others);
  await expect.poll(() => rowOf('Notes')).toBeUndefined();
  await expect.poll(stillNaming).toEqual([]);
  await delay(A_WHILE_MS);
  expect([processesWith(folder), counted.accepted()]).toEqual([[], 0]);
  counted.close();
});

test('S9, S1, H3: a file on the command line lists its servers off for one run; a second start’s arguments do nothing', async ({
  app,
  profile,
  folder,
  scratch,
}) => {
  const counted = await countedAddress();
  const file = join(profile, 'for-this-run.json');
  const entries = { Notes: { command: 'node', args: [PROGRAM, folder], enabled: true }, There: { url: counted.address } };
  writeFileSync(file, JSON.stringify({ mcpServers: entries }));
  const link = `portcullis://mcp/install?servers=${Buffer.from(JSON.stringify({ mcpServers: entries })).toString('base64')}`;
  expect(await app.startSecond(['--mcp-config', file, `--add-server=node ${PROGRAM} ${scratch}`, link])).toBe(0);
  await delay(A_WHILE_MS);
  expect(await readView(app.window, 'servers')).toEqual([]);
  await app.quit();

  await app.start(['--mcp-config', file]);
  const servers = new ServersPage(app.window);
  await servers.open();
  for (const name of ['Notes', 'There']) {
    await expect(servers.row(name)).toContainText('for this run, from for-this-run.json');
    await expect(servers.switchOf(name)).not.toBeChecked();
  }
  await delay(A_WHILE_MS);
  expect([processesWith(`${PROGRAM} ${folder}`), counted.accepted()]).toEqual([[], 0]);
  await app.quit();
  expect(readFileSync(join(profile, 'servers.json'), 'utf8')).not.toContain('this-run');

  await app.start();
  expect(await readView(app.window, 'servers')).toEqual([]);
  counted.close();
});

test('S9, S1, P2: a dropped file goes the way of import; dropped elsewhere it does nothing', async ({ app, folder }) => {
  const { window } = app;
  const text = JSON.stringify({ mcpServers: { Notes: { command: 'node', args: [PROGRAM, folder], disabled: false } } });
  const dropOn = async (place: Locator) => {
    const dataTransfer = await window.evaluateHandle((content) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], 'mcp.json', { type: 'application/json' }));
      return transfer;
    }, text);
    for (const event of ['dragover', 'drop']) await place.dispatchEvent(event, { dataTransfer });
  };
  const address = window.url();
  await dropOn(window.getByRole('main'));
  await delay(A_WHILE_MS);
  expect(window.url()).toBe(address);
  expect(await readView(window, 'servers')).toEqual([]);
  await expect(window.getByRole('form', { name: 'Import servers' })).toHaveCount(0);

  const servers = new ServersPage(window);
  await servers.open();
  await dropOn(servers.addField);
  const form = window.getByRole('form', { name: 'Import servers' });
  await expect(form).toContainText(`node ${PROGRAM} ${folder}`);
  await expect(form).toContainText('Of “Notes” this was left out: disabled.');
  await form.getByRole('checkbox', { name: 'Notes' }).check();
  await form.getByRole('button', { name: 'Add 1 server (off)' }).click();
  await expect(servers.switchOf('Notes')).not.toBeChecked();
  expect(processesWith(folder)).toEqual([]);
});
