import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { resolve } from 'node:path';
import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServerPage } from '../pages/server-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';
import { ToolRunner } from '../pages/tool-runner';
import { freePort } from '../peers';
import { processesWith } from '../processes';
import { readView } from '../read-state';

const exitsAtOnce = resolve(import.meta.dirname, '../../test/fixtures/peers/exits-at-once.mjs');

const addresses: [typed: string, sentence: RegExp][] = [
  ['http://localhost.example.com/mcp', /Use an https address/],
  ['http://192.168.1.20:3000/mcp', /Use an https address/],
  ['https://user:pw@mcp.example.com/', /Remove the user name and password/],
  ['https://mcp.example.com/#part', /Remove the part of the address from # on/],
  ['http:\\\\localhost', /./],
];
for (const [typed, sentence] of addresses) {
  test(`E1: ${typed} is not added, and a sentence says why`, async ({ app }) => {
    const servers = new ServersPage(app.window);
    await servers.type(typed);
    const field = servers.addForm.getByRole('textbox', { name: 'An address, a command line' });
    await expect(field).toHaveAttribute('aria-invalid', 'true');
    await expect(field).toHaveAccessibleDescription(sentence);
    await expect(servers.addForm.getByRole('button', { name: /^Add/ }).last()).toBeDisabled();
    expect(await readView(app.window, 'servers')).toEqual([]);
  });
}

test('S11: a short name that is taken is not added twice', async ({ app, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.type(notesCommand(folder), 'More notes');
  await servers.addForm.getByRole('textbox', { name: 'Short name' }).fill('notes');
  await expect(servers.addForm.getByText('“notes” is the short name of another server.').first()).toBeVisible();
  await servers.addButton.click();
  await expect(servers.addForm.getByRole('alert')).toContainText('notes');
  expect((await readView(app.window, 'servers')).map(({ name }) => name)).toEqual(['Notes']);
});

test('W7: a command that does not exist is named, and nothing is asked or run', async ({ app }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped('no-such-program-of-ours --flag', 'Missing');
  const page = new ServerPage(app.window, 'Missing');
  await page.reviewButton.click();
  await expect(app.window.getByRole('alert')).toContainText('no-such-program-of-ours');
  await expect(app.window.getByRole('dialog')).toHaveCount(0);
  await expect(page.serverSwitch).not.toBeChecked();
});

test('W6: a server that exits at once is shown with its code and its last words, and others go on', async ({
  app,
  folder,
  everything,
}) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(everything.address, 'Everything');
  await servers.turnOn('Everything');
  await servers.addTyped(`MODE=3 node ${exitsAtOnce} ${folder}`, 'Broken');
  const page = new ServerPage(app.window, 'Broken');
  await (await page.review()).allow();
  await expect(page.trouble).toContainText('Broken');
  await expect(page.trouble).toContainText('3');
  await expect(page.trouble).toContainText('API_KEY is not set');
  await expect(page.serverSwitch).not.toBeChecked();
  expect(processesWith(folder)).toEqual([]);

  await servers.open();
  await expect(servers.row('Everything')).toContainText('on');
  await expect(servers.switchOf('Everything')).toBeChecked();
});

test('W3: waiting for a server that never answers can be ended, and ends its program', async ({ app, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(`silent ${folder}`), 'Silent');
  const page = new ServerPage(app.window, 'Silent');
  await (await page.review()).allow();
  await expect(page.look).toBeVisible();
  await expect.poll(() => processesWith(folder).length).toBe(1);
  await page.look.getByRole('button', { name: 'Keep off' }).click();
  await expect(page.look).toBeHidden();
  await expect(page.serverSwitch).not.toBeChecked();
  await expect.poll(() => processesWith(folder).length, { timeout: 8_000 }).toBe(0);
});

test('G2: arguments that do not fit the schema are not sent, from the form or from a model', async ({ app, model, folder }) => {
  const servers = new ServersPage(app.window);
  const chat = new ChatPage(app.window);
  const runner = new ToolRunner(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes');
  await chat.backToChats();
  await runner.open();
  const form = await runner.choose('wait');
  await form.getByLabel('seconds').fill('soon');
  // It is marked as not ready, and pressing it all the same leads to what is wrong.
  await form.getByRole('button', { name: 'Run', exact: true }).click({ force: true });
  await expect(form.getByLabel('seconds')).toHaveAttribute('aria-invalid', 'true');
  await expect(form.getByLabel('seconds')).toBeFocused();
  await expect(app.window.getByRole('alertdialog')).toHaveCount(0);

  await new ModelsPage(app.window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
  await chat.startNew();
  await chat.send('call notes__wait {"seconds":"soon"}');
  const line = chat.line('Notes', 'wait');
  await expect(line).toContainText('not run: the arguments did not fit');
  await expect((await chat.open(line)).getByRole('region', { name: 'Result' })).toContainText('seconds');
  await expect(app.window.getByRole('alertdialog')).toHaveCount(0);
});

test('G1: a model that cannot be reached, or is no model, is named in one sentence; the other one goes on', async ({
  app,
  model,
}) => {
  const models = new ModelsPage(app.window);
  const chat = new ChatPage(app.window);
  const noModel = createServer((_request, response) => response.writeHead(404).end('nothing here'));
  await new Promise<void>((done) => noModel.listen(0, '127.0.0.1', done));
  const { port } = noModel.address() as AddressInfo;
  await models.addAndTurnOn({ name: 'Absent', address: `http://127.0.0.1:${await freePort()}/v1`, model: 'm1' });
  await models.addAndTurnOn({ name: 'Elsewhere', address: `http://127.0.0.1:${port}/v1`, model: 'm1' });
  await models.addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });

  await chat.startNew();
  const picker = app.window.getByRole('combobox', { name: 'Model' });
  const said: [name: string, sentence: string][] = [
    ['Absent', 'Absent did not answer at 127.0.0.1'],
    ['Elsewhere', `127.0.0.1:${port} has no model called m1 at that address.`],
  ];
  for (const [name, sentence] of said) {
    await picker.selectOption({ label: `${name}: stays here` });
    await chat.send(`hello ${name}`);
    await expect(chat.conversation.getByText(sentence)).toBeVisible();
    await chat.settled();
  }
  await picker.selectOption({ label: 'Scripted: stays here' });
  await chat.send('hello again');
  await expect(chat.conversation).toContainText(/You said:[\s\S]*hello again/);
  noModel.closeAllConnections();
  noModel.close();
});

test('E1: a model at a plain http address elsewhere is not stored', async ({ app }) => {
  const models = new ModelsPage(app.window);
  await models.fill({ name: 'Far', address: 'http://model.example.com/v1', model: 'm1' });
  await expect(models.form.getByText(/Use an https address/)).toBeVisible();
  await models.form.getByRole('button', { name: 'Add it, off' }).click();
  await expect(models.form).toBeVisible();
  expect(await readView(app.window, 'models')).toEqual([]);
});

test('W5: turning a server off in the middle of a call ends that call', async ({ app, model, folder }) => {
  const servers = new ServersPage(app.window);
  const chat = new ChatPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes');
  await new ModelsPage(app.window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
  await chat.startNew();
  await chat.send('call notes__wait {"seconds":20}');
  await new ToolSheet(app.window, 'wait').allowOnce();
  await expect(chat.conversation.getByText('running…')).toBeVisible();
  await servers.turnOff('Notes');
  await chat.backToChats();
  await expect(chat.line('Notes', 'wait')).toContainText('failed');
  await expect.poll(() => processesWith(folder).length, { timeout: 8_000 }).toBe(0);
});
