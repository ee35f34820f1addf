import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';

test.beforeEach(async ({ app, model, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes');
  await new ModelsPage(app.window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
  await new ChatPage(app.window).startNew();
});

const hidden: [what: string, value: string, shown: RegExp][] = [
  ['a change of direction', 'safe\u202Egpj.exe', /\\u\{?202e\}?/i],
  ['an invisible character', 'pay\u200Bpal', /\\u\{?200b\}?/i],
  ['a control character', 'a\u001B[8mb', /\\(?:u\{?001b\}?|x1b|e)/i],
];
for (const [what, value, shown] of hidden) {
  test(`A5: the sheet shows ${what} in an argument as an escape`, async ({ app }) => {
    await new ChatPage(app.window).send(`call notes__read_page ${JSON.stringify({ page: value })}`);
    const sheet = new ToolSheet(app.window, 'read_page');
    await expect(sheet.argument('page')).toHaveText(shown);
    expect(await sheet.argument('page').textContent()).not.toContain(value);
    await sheet.refuse();
  });
}

test('A7: what looks like a key is marked, told in words with who would receive it, and can be allowed only once', async ({
  app,
}) => {
  const key = 'AKIA' + 'ABCDEFGHIJKLMNOP';
  await new ChatPage(app.window).send(`call notes__read_page ${JSON.stringify({ page: `it is ${key} here` })}`);
  const sheet = new ToolSheet(app.window, 'read_page');
  await expect(sheet.argument('page').locator('mark')).toHaveText(key);
  await expect(app.window.getByText(/what looks like an AWS access key\. Running this gives it to /)).toBeVisible();
  await expect(sheet.runOnce).toBeVisible();
  await expect(app.window.getByRole('button', { name: 'Run in this chat' })).toHaveCount(0);
  await sheet.refuse();
});

test('A5: a long argument is shown whole and scrolls, and the answers stay in sight', async ({ app, model }) => {
  const long = Array.from({ length: 400 }, (_, line) => `line ${line} of a long page`).join('\n');
  await new ChatPage(app.window).send(`call notes__read_page ${JSON.stringify({ page: `${long}\nTHE END` })}`);
  const sheet = new ToolSheet(app.window, 'read_page');
  await expect(sheet.argument('page')).toContainText('line 0 of a long page');
  await expect(sheet.argument('page')).toContainText('THE END');
  await expect(sheet.dontRun).toBeInViewport();
  await expect(sheet.runOnce).toBeInViewport();

  await sheet.allowOnce();
  const chat = new ChatPage(app.window);
  await chat.settled();
  const answer = (await model.requests()).at(-1)?.body.messages.at(-1);
  expect(String(answer?.content), 'what was sent is what was shown').toContain('line 0 of a long page');
});
