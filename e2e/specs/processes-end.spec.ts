import { eventually, isRunning } from '../../test/support/processes';
import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';
import { processesWith } from '../processes';
import { readView } from '../read-state';

const WAIT = 'call notes__wait {"seconds":30}';

test.describe('with a server that runs', () => {
  test.beforeEach(async ({ app, model, folder, everything }) => {
    const servers = new ServersPage(app.window);
    await servers.addTyped(notesCommand(folder), 'Notes');
    await servers.turnOn('Notes');
    await servers.addTyped(everything.address, 'Everything');
    await servers.turnOn('Everything');
    await new ModelsPage(app.window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
    await new ChatPage(app.window).startNew();
    expect(processesWith(folder)).toHaveLength(1);
  });

  test('W6: a server that dies in the middle of a call ends that call within a second, by name; others go on', async ({
    app,
    folder,
  }) => {
    const chat = new ChatPage(app.window);
    await chat.send(WAIT);
    await new ToolSheet(app.window, 'wait').allowOnce();
    const running = chat.conversation.getByText('running…');
    await expect(running).toBeVisible();

    const [pid = 0] = processesWith(folder);
    process.kill(pid, 'SIGKILL');
    const killedAt = Date.now();
    const line = chat.line('Notes', 'wait');
    await expect(line).toContainText('failed');
    expect(Date.now() - killedAt).toBeLessThan(1000);
    await expect((await chat.open(line)).getByRole('region', { name: 'Result' })).toContainText('Notes');

    await expect(app.window.getByRole('button', { name: 'Send' })).toBeVisible();
    await chat.send('call everything__echo {"message":"still here"}');
    await new ToolSheet(app.window, 'echo').allowOnce();
    const echo = await chat.open(chat.line('Everything', 'echo'));
    await expect(echo.getByRole('region', { name: 'Result' })).toContainText('still here');
  });

  test('W5: quitting ends every program, also in the middle of a call', async ({ app, folder }) => {
    await new ChatPage(app.window).send(WAIT);
    await new ToolSheet(app.window, 'wait').allowOnce();
    const pids = processesWith(folder);
    await app.quit();
    expect(pids.filter((pid) => isRunning(pid))).toEqual([]);
    expect(processesWith(folder)).toEqual([]);
  });

  test('W5: when the app is killed, its programs end by themselves', async ({ app, folder }) => {
    await new ChatPage(app.window).send(WAIT);
    await new ToolSheet(app.window, 'wait').allowOnce();
    await app.crash();
    await eventually(() => processesWith(folder).length === 0);
  });

  test('A2: reloading the window refuses what waits, and settles what runs', async ({ app }) => {
    const chat = new ChatPage(app.window);
    await chat.send(`${WAIT}\ncall notes__read_page {"page":"first"}`);
    await new ToolSheet(app.window, 'wait').allowOnce();
    await expect(new ToolSheet(app.window, 'read_page').sheet).toBeVisible();
    await app.window.reload();

    await expect(app.window.getByRole('main')).toBeVisible();
    expect(await readView(app.window, 'approvals')).toEqual([]);
    await expect(app.window.getByRole('alertdialog')).toHaveCount(0);
    await expect.poll(async () => (await readView(app.window, 'conversations')).filter((each) => each.busy)).toEqual([]);
    await app.window.getByRole('button', { name: /^call notes__wait/ }).click();
    await expect(chat.line('Notes', 'read_page')).toContainText('not run: stopped');
    await expect(chat.conversation.getByText('running…')).toHaveCount(0);
  });

  test('W5: turning a server off ends its program', async ({ app, folder }) => {
    const [pid = 0] = processesWith(folder);
    await new ServersPage(app.window).turnOff('Notes');
    await eventually(() => !isRunning(pid));
    expect(processesWith(folder)).toEqual([]);
  });
});

test('W5: a program that runs only to be looked at ends when the window is reloaded', async ({ app, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await (await servers.review('Notes')).allow();
  await eventually(() => processesWith(folder).length === 1);
  await app.window.reload();
  await eventually(() => processesWith(folder).length === 0);
});
