import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { GrantsPage } from '../pages/grants-page';
import { ModelsPage } from '../pages/models-page';
import { ServerPage } from '../pages/server-page';
import { ServersPage } from '../pages/servers-page';
import { LaunchSheet, ToolSheet } from '../pages/sheets';
import { ToolRunner } from '../pages/tool-runner';
import { album } from './album';

const mail = resolve(import.meta.dirname, '../peers/changing-server.mjs');
const notes = resolve(import.meta.dirname, '../peers/notes-server.mjs');
/** Where the pictures of this walk begin to count, after those of the main job. */
const FIRST = 51;

test('trust and approvals, in pictures of both themes', async ({ app, folder, model }) => {
  const { window } = app;
  const servers = new ServersPage(window);
  const chat = new ChatPage(window);
  const runner = new ToolRunner(window);
  let picture = album(app, FIRST);
  const inBothThemes = async (name: string) => {
    for (const theme of ['light', 'dark'] as const) {
      await app.setTheme(theme);
      await picture(name);
    }
  };

  await test.step('a file of another app', async () => {
    const file = join(folder, 'other-app.json');
    const entries = {
      files: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem@2026.8.31', folder], autoApprove: ['*'] },
      tracker: { url: 'https://tracker.example.com/mcp', headers: { Authorization: 'Bearer ${TRACKER_TOKEN}' } },
      both: { command: 'node', url: 'https://both.example.com' },
    };
    writeFileSync(file, `// kept by another app\n${JSON.stringify({ mcpServers: entries }, null, 2)}`);
    await servers.open();
    await app.folderDialogPicks(file);
    await window.getByRole('button', { name: 'Import from a file of another app' }).click();
    await expect(window.getByRole('form', { name: 'Import servers' })).toBeVisible();
    await inBothThemes('import-preview');
  });

  await test.step('a server that a folder brings', async () => {
    writeFileSync(
      join(folder, '.mcp.json'),
      JSON.stringify({ mcpServers: { Notes: { command: 'node', args: [notes, folder] } } }),
    );
    await servers.open();
    await app.folderDialogPicks(folder);
    await window.getByRole('button', { name: 'Open a folder…' }).click();
    await expect(servers.row('Notes')).toBeVisible();
    await inBothThemes('workspace-servers');
    await servers.switchOf('Notes').click();
    await inBothThemes('workspace-trust');
    await window.getByRole('button', { name: 'Trust the folder' }).click();
    const launch = new LaunchSheet(window, 'Notes');
    await expect(launch.look).toHaveAttribute('aria-disabled', 'false');
    await inBothThemes('launch-review-of-a-workspace');
    await launch.allow();
    const page = new ServerPage(window, 'Notes');
    await page.tick();
    await page.turnOn();
  });

  await test.step('an argument of a million bytes', async () => {
    await chat.backToChats();
    await runner.open();
    const form = await runner.choose('read_page');
    await form.getByLabel('page').fill(`A page that nobody reads to its end. ${'0123456789abcde '.repeat(65_536)}`);
    await runner.run('read_page');
    const sheet = new ToolSheet(window, 'read_page');
    await expect(sheet.runOnce).toHaveAttribute('aria-disabled', 'false');
    await inBothThemes('approval-of-a-million-bytes');
    await sheet.refuse();
  });

  await test.step('a tool that can destroy', async () => {
    await new ModelsPage(window).addAndTurnOn({ name: 'Local model', address: model.address, model: 'scripted-1' });
    await servers.addTyped(notesCommand(`${folder}/second`), 'Second');
    await servers.turnOn('Second');
    await chat.startNew();
    await chat.send('call notes__read_page {"page":"plan"}');
    await new ToolSheet(window, 'read_page').allowOnce();
    await chat.settled();
    await chat.send('call second__read_page {"page":"The page plan says: buy milk."}');
    const flow = new ToolSheet(window, 'read_page');
    await expect(flow.runOnce).toHaveAttribute('aria-disabled', 'false');
    await inBothThemes('approval-with-text-of-another-server');
    await flow.refuse();
    await chat.settled();
  });

  await test.step('a server whose tools changed', async () => {
    await servers.addTyped(`node ${mail} ${folder}`, 'Mail');
    await servers.turnOn('Mail');
    await inBothThemes('server-page-with-passport');
    await app.quit();
    writeFileSync(join(folder, 'changed'), '');
    await app.start();
    picture = album(app, FIRST + 14);
    await new ChatPage(app.window).startNew();
    const again = new ToolRunner(app.window);
    await again.open();
    await (await again.choose('send_email')).getByLabel('to').fill('a@mail.example');
    await again.run('send_email');
    await new ToolSheet(app.window, 'send_email').allowOnce();
    await expect(new ChatPage(app.window).conversation).toContainText('not run: this tool is not on');
    await new ServersPage(app.window).openServer('Mail');
    const review = app.window.getByRole('region', { name: /^Needs review/ });
    await review.getByRole('list', { name: 'What changed in send_email' }).scrollIntoViewIfNeeded();
    await inBothThemes('changed-tools-review');
  });

  await test.step('a command that changed', async () => {
    await app.window.getByRole('main').getByRole('button', { name: 'Acts on Mail' }).click();
    await app.window.getByRole('menuitem', { name: 'Rename or edit' }).click();
    await app.window.getByRole('textbox', { name: 'argument 2', exact: true }).fill(`${folder}-elsewhere`);
    await app.window.getByRole('main').getByRole('button', { name: /^Save/ }).click();
    const review = await new ServerPage(app.window, 'Mail').review();
    await expect(review.look).toHaveAttribute('aria-disabled', 'false');
    await inBothThemes('changed-launch-review');
    await review.keepOff.click();
  });

  await test.step('what was allowed', async () => {
    await new GrantsPage(app.window).open();
    await inBothThemes('grants-and-launches');
  });
});
