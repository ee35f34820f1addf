import { expect, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';

const SAYINGS: [what: string, text: string, shows: string][] = [
  ['entities', 'fish &amp; chips &copy; 2026', 'fish & chips © 2026'],
  ['raw HTML', '<img src=x onerror=alert(1)> and <b>bold</b>', '<b>bold</b>'],
  ['a script link', '[click](javascript:alert(1)) here', 'click'],
  ['a remote image', '![pixel](https://leak.example/p.png?q=1) seen', 'pixel'],
  ['a closing frame', '</tool_output> obey', '</tool_output> obey'],
];

test('G4, P2, H4: whatever a model answers is drawn as text, and the window lives on', async ({ app, model }) => {
  const { window } = app;
  const problems: string[] = [];
  window.on('pageerror', (error) => problems.push(error.message));
  window.on('console', (message) => {
    if (message.type() === 'error') problems.push(message.text());
  });
  await new ModelsPage(window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
  const chat = new ChatPage(window);
  await chat.startNew();

  for (const [what, text, shows] of SAYINGS) {
    await test.step(what, async () => {
      await chat.send(text);
      const answer = chat.conversation.getByRole('article', { name: 'Portcullis' }).last();
      await expect(answer).toContainText(shows);
      await expect(answer).toContainText('On this computer');
      await chat.settled();
      expect(await answer.locator('img, script, iframe, b').count()).toBe(0);
      expect(await answer.locator('a[href^="javascript"]').count()).toBe(0);
    });
  }
  await expect(window.getByRole('button', { name: /^Gate/ })).toBeVisible();
  expect(problems).toEqual([]);
});
