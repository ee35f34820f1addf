import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { GrantsPage } from '../pages/grants-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { LaunchSheet, ToolSheet } from '../pages/sheets';
import { ToolRunner } from '../pages/tool-runner';
import type { RunningApp } from '../running-app';

interface Screen {
  name: string;
  /** Leads there from wherever the walk stands. */
  go(app: RunningApp): Promise<void>;
  /** Leaves what would keep the next screen from being reached. */
  leave?(app: RunningApp): Promise<void>;
}

/** One walk past every screen of a profile that has a server, a model and a chat. */
const screens: Screen[] = [
  {
    name: 'first run',
    go: ({ window }) => expect(window.getByRole('heading', { name: 'The gate is down.' })).toBeVisible(),
  },
  { name: 'servers, none yet', go: ({ window }) => new ServersPage(window).open() },
  { name: 'models, none yet', go: ({ window }) => new ModelsPage(window).open() },
  {
    name: 'add a server',
    async go({ window }) {
      await new ServersPage(window).type(`TOKEN=abc NODE_OPTIONS=--x npx -y some-server`, 'Some server');
    },
  },
  {
    name: 'import a file',
    async go(app) {
      const file = `${app.profile}/import.json`;
      writeFileSync(file, '{ "servers": { "files": { "command": "node", "disabled": false }, "none": {} } }');
      await new ServersPage(app.window).open();
      await app.folderDialogPicks(file);
      await app.window.getByRole('button', { name: 'Import from a file of another app' }).click();
      await app.window.getByRole('checkbox', { name: 'files' }).check();
    },
  },
  {
    name: 'workspace folders',
    async go(app) {
      const folder = `${app.profile}-project`;
      mkdirSync(folder, { recursive: true });
      writeFileSync(`${folder}/.mcp.json`, '{ "mcpServers": { "From the project": { "command": "node" } } }');
      await new ServersPage(app.window).open();
      await app.folderDialogPicks(folder);
      await app.window.getByRole('button', { name: 'Open a folder…' }).click();
      await expect(app.window.getByText('1 server in .mcp.json')).toBeVisible();
    },
  },
  {
    name: 'trust a folder',
    async go(app) {
      await new ServersPage(app.window).switchOf('From the project').click();
      await expect(app.window.getByRole('alertdialog', { name: 'Trust this folder to bring servers?' })).toBeVisible();
    },
    async leave({ window, profile }) {
      await window.getByRole('button', { name: 'Don’t trust it' }).click();
      await window.getByRole('button', { name: `Close ${profile}-project` }).click();
      await window.getByRole('alertdialog').getByRole('button', { name: 'Close', exact: true }).click();
      await expect(window.getByText('No folder is open.')).toBeVisible();
      rmSync(`${profile}-project`, { recursive: true });
    },
  },
  {
    name: 'launch review',
    async go({ window }) {
      const servers = new ServersPage(window);
      await servers.addTyped(notesCommand(`${process.pid} TOKEN`), 'Notes');
      await servers.review('Notes');
      await expect(new LaunchSheet(window, 'Notes').look).toHaveAttribute('aria-disabled', 'false');
    },
    leave: ({ window }) => new LaunchSheet(window, 'Notes').allow(),
  },
  {
    name: 'look at its tools',
    async go({ window }) {
      const page = await new ServersPage(window).openServer('Notes');
      await page.tick(['wait']);
    },
    leave: async ({ window }) => {
      await (await new ServersPage(window).openServer('Notes')).tick(['wait']);
      await window.getByRole('button', { name: /^Turn on with/ }).click();
    },
  },
  {
    name: 'server page, a definition open',
    async go({ window }) {
      await new ServersPage(window).openServer('Notes');
      await window.getByRole('button', { name: /definition of delete_page/ }).click();
    },
  },
  { name: 'server log', go: async ({ window }) => (await new ServersPage(window).openServer('Notes')).openTab('Log') },
  { name: 'server limits', go: async ({ window }) => (await new ServersPage(window).openServer('Notes')).openTab('Limits') },
  {
    name: 'policy of a tool',
    async go({ window }) {
      await (await new ServersPage(window).openServer('Notes')).openTab('Tools');
      await window.getByRole('combobox', { name: 'Policy for read_page' }).selectOption('Allowed');
      await expect(window.getByRole('alertdialog', { name: 'Always allow read_page?' })).toBeVisible();
    },
    async leave({ window }) {
      await window.getByRole('button', { name: 'Always for this tool' }).click();
      await expect(window.getByRole('combobox', { name: 'Policy for read_page' })).toHaveValue('allowed');
    },
  },
  { name: 'grants', go: ({ window }) => new GrantsPage(window).open() },
  {
    name: 'revoke everything',
    async go({ window }) {
      await new GrantsPage(window).open();
      await window.getByRole('button', { name: 'Revoke everything…' }).click();
      await expect(window.getByRole('alertdialog', { name: 'Revoke everything?' })).toBeVisible();
    },
    async leave({ window }) {
      await window.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click();
      await new GrantsPage(window).revoke('read_page');
    },
  },
  { name: 'server trust', go: async ({ window }) => (await new ServersPage(window).openServer('Notes')).openTab('Trust') },
  {
    name: 'edit a server',
    async go({ window }) {
      await new ServersPage(window).openServer('Notes');
      await window.getByRole('button', { name: 'Acts on Notes' }).click();
      await window.getByRole('menuitem', { name: 'Rename or edit' }).click();
      await expect(window.getByRole('textbox', { name: 'Short name' })).toBeVisible();
    },
  },
  {
    name: 'add a model',
    async go({ window }) {
      await new ModelsPage(window).fill({ name: 'Far', address: 'https://models.example.com/v1', model: 'm1', key: 'abc' });
    },
    leave: async ({ window }) => {
      await new ModelsPage(window).form.getByRole('button', { name: 'Add it, off' }).click();
      await new ModelsPage(window).switchOf('Far').click();
    },
  },
  { name: 'models', go: ({ window }) => new ModelsPage(window).open() },
  { name: 'servers', go: ({ window }) => new ServersPage(window).open() },
  {
    name: 'privacy, with an open route',
    async go({ window }) {
      await window.getByRole('navigation', { name: 'Settings' }).getByRole('button', { name: 'Privacy' }).click();
      await expect(window.getByRole('heading', { name: '1 route is open.' })).toBeVisible();
    },
  },
  {
    name: 'gate',
    async go({ window }) {
      await window.getByRole('button', { name: /^Gate:/ }).click();
      await expect(window.getByRole('dialog', { name: 'Gate' })).toBeVisible();
    },
    leave: ({ window }) => window.keyboard.press('Escape'),
  },
  {
    name: 'run a tool',
    async go({ window }) {
      await new ChatPage(window).startNew();
      await new ToolRunner(window).open();
      await new ToolRunner(window).choose('delete_page');
    },
    leave: async ({ window }) => {
      await new ToolRunner(window).form('delete_page').getByLabel('page').fill('old');
      await new ToolRunner(window).run('delete_page');
    },
  },
  {
    name: 'approval of a destructive call',
    async go({ window }) {
      const { sheet } = new ToolSheet(window, 'delete_page');
      await expect(sheet).toBeVisible();
      await sheet.getByRole('button', { name: 'Why is it asking?' }).click();
    },
    leave: ({ window }) => new ToolSheet(window, 'delete_page').refuse(),
  },
  {
    name: 'chat, a line open',
    async go({ window }) {
      const chat = new ChatPage(window);
      await chat.open(chat.line('Notes', 'delete_page'));
      await expect(chat.conversation.getByRole('region', { name: 'Result' })).toBeVisible();
    },
  },
];

async function walk(app: RunningApp, look: (name: string) => Promise<void>): Promise<void> {
  for (const screen of screens) {
    await test.step(screen.name, async () => {
      await screen.go(app);
      await look(screen.name);
      await screen.leave?.(app);
    });
  }
}

for (const theme of ['light', 'dark'] as const) {
  test(`Q4: axe finds nothing on any screen, ${theme}`, async ({ app }) => {
    await app.setTheme(theme);
    const found: string[] = [];
    await walk(app, async (name) => {
      // A transition in flight has colours of its own.
      await app.window.waitForTimeout(200);
      const { violations } = await new AxeBuilder({ page: app.window }).setLegacyMode(true).analyze();
      for (const { id, impact, nodes } of violations) {
        for (const { target, failureSummary } of nodes)
          found.push(`${name}: ${id} (${impact}) ${target.join(' ')} ${failureSummary}`);
      }
    });
    expect(found).toEqual([]);
  });
}

test('Q4: at 200 % nothing is cut off: no screen scrolls sideways, and every button is within reach', async ({
  app,
}, testInfo) => {
  await app.setZoom(2);
  const found: string[] = [];
  await walk(app, async (name) => {
    const picture = testInfo.outputPath(`${name.replaceAll(/[^a-z]+/g, '-')}.png`);
    // What is drawn is a frame or two behind what stands in the page.
    await app.window.waitForTimeout(200);
    writeFileSync(picture, await app.picture());
    await testInfo.attach(name, { path: picture, contentType: 'image/png' });
    for (const trouble of await app.window.evaluate(cutOff)) found.push(`${name}: ${trouble}`);
  });
  expect(found).toEqual([]);
});

/** Runs in the page: what stands outside the window and cannot be scrolled to. */
function cutOff(): string[] {
  const troubles: string[] = [];
  const root = document.documentElement;
  if (root.scrollWidth > root.clientWidth) troubles.push(`the page is ${root.scrollWidth} wide in ${root.clientWidth}`);
  const top = document.querySelector('dialog[open]') ?? document;
  for (const control of top.querySelectorAll<HTMLElement>('button, input, textarea, select, a[href]')) {
    if (!control.checkVisibility({ visibilityProperty: true })) continue;
    control.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const { left, right, top: upper, bottom, width, height } = control.getBoundingClientRect();
    if (width <= 1 || height <= 1 || bottom < 0) continue;
    const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? control.tagName;
    if (left < -1 || right > root.clientWidth + 1 || upper < -1 || upper > root.clientHeight)
      troubles.push(
        `${control.tagName.toLowerCase()} “${name}” at ${Math.round(left)}–${Math.round(right)}, ${Math.round(upper)}–${Math.round(bottom)}`,
      );
  }
  return troubles;
}
