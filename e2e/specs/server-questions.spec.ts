import { AxeBuilder } from '@axe-core/playwright';
import { expect, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ServersPage } from '../pages/servers-page';
import { QuestionSheet, ToolSheet } from '../pages/sheets';
import { ToolRunner } from '../pages/tool-runner';
import type { RunningApp } from '../running-app';

const FORM_TOOL = 'trigger-elicitation-request';
const ADDRESS_TOOL = 'trigger-url-elicitation';
const ADDRESS = 'https://bank.example/sign-in?account=1';

/** The browser of this computer stays shut; what it would have opened is listed. */
async function watchBrowser(app: RunningApp): Promise<() => Promise<string[]>> {
  await app.ask(({ shell }) => {
    const opened: string[] = [];
    shell.openExternal = async (url) => void opened.push(url);
    Object.assign(globalThis, { openedInBrowser: opened });
  });
  return () => app.ask(() => (globalThis as unknown as { openedInBrowser: string[] }).openedInBrowser);
}

test.beforeEach(async ({ app, everything }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(everything.address, 'Everything');
  await servers.turnOn('Everything');
  await new ChatPage(app.window).backToChats();
});

test('W8: a server’s form is filled in, checked and sent; another one is refused', async ({ app }) => {
  const { window } = app;
  const chat = new ChatPage(window);
  const runner = new ToolRunner(window);
  const question = new QuestionSheet(window, 'Everything');
  const ask = async (): Promise<void> => {
    await runner.open();
    await runner.choose(FORM_TOOL);
    await runner.run(FORM_TOOL);
    await expect(question.sheet).toBeHidden();
    await new ToolSheet(window, FORM_TOOL).allowOnce();
    await expect(question.sheet).toBeVisible();
  };

  await test.step('N7, A5: it names the server and the tool, refuses first and holds no link', async () => {
    await ask();
    await expect(question.dontAnswer).toBeFocused();
    await expect(question.sheet).toContainText('short name everything');
    await expect(question.sheet).toContainText('127.0.0.1');
    await expect(question.sheet).toContainText(FORM_TOOL);
    await expect(question.sheet.getByRole('link')).toHaveCount(0);
    const { violations } = await new AxeBuilder({ page: window }).setLegacyMode(true).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)])).toEqual([]);
  });

  await test.step('W8: defaults are filled in, and what is missing or wrong is said at its field', async () => {
    await expect(question.sheet.getByRole('textbox', { name: 'String with default' })).toHaveValue(
      'It was a dark and stormy night.',
    );
    await expect(question.sheet.getByRole('checkbox', { name: 'Guitar' })).toBeChecked();
    await question.sheet.getByRole('textbox', { name: 'String with email format' }).fill('nobody');
    await expect(question.send).toHaveAttribute('aria-disabled', 'false');
    await question.send.click();
    await expect(question.sheet.getByText('Enter some text.')).toBeVisible();
    await question.sheet.getByRole('textbox', { name: 'String', exact: true }).fill('Ada');
    await expect(question.sheet.getByText('Enter an e-mail address')).toBeVisible();
  });

  await test.step('W8: what is right is sent, and the chat says so', async () => {
    await question.sheet.getByRole('textbox', { name: 'String with email format' }).fill('ada@example.com');
    await question.send.click();
    await expect(question.sheet).toBeHidden();
    const line = await chat.open(chat.line('Everything', FORM_TOOL));
    await expect(line.getByRole('region', { name: 'Result' })).toContainText('Name: Ada');
    await expect(line).toContainText('Everything asked a question, and you answered it.');
  });

  await test.step('A5: Escape refuses, and the server is told', async () => {
    await ask();
    await window.keyboard.press('Escape');
    await expect(question.sheet).toBeHidden();
    const line = await chat.open(chat.line('Everything', FORM_TOOL).last());
    await expect(line.getByRole('region', { name: 'Result' })).toContainText('declined');
  });
});

test('W8: an address is shown whole and opened after the button; the call goes on once the person is back', async ({ app }) => {
  const { window } = app;
  const opened = await watchBrowser(app);
  const chat = new ChatPage(window);
  const runner = new ToolRunner(window);
  const question = new QuestionSheet(window, 'Everything');
  const ask = async (errorPath: boolean): Promise<void> => {
    await runner.open();
    const form = await runner.choose(ADDRESS_TOOL);
    await form.getByLabel('url').fill(ADDRESS);
    if (errorPath) await form.getByRole('combobox', { name: 'errorPath' }).selectOption({ label: 'Yes' });
    await runner.run(ADDRESS_TOOL);
    await new ToolSheet(window, ADDRESS_TOOL).allowOnce();
    await expect(question.sheet).toBeVisible();
  };

  await ask(false);
  await expect(question.dontOpen).toBeFocused();
  await expect(question.sheet.getByRole('group', { name: 'Address' })).toHaveText(ADDRESS);
  await question.dontOpen.click();
  await expect(question.sheet).toBeHidden();
  expect(await opened()).toEqual([]);

  await ask(false);
  await question.openIt.click();
  await expect(question.sheet).toBeHidden();
  expect(await opened()).toEqual([ADDRESS]);
  await expect(chat.line('Everything', ADDRESS_TOOL)).toHaveCount(2);

  await ask(true);
  await question.openIt.click();
  await expect(question.goOn).toBeVisible();
  await expect(question.sheet).toContainText('is open in your browser');
  expect(await opened()).toHaveLength(2);
  await question.goOn.click();
  await expect(question.sheet.getByRole('group', { name: 'Address' })).toHaveText(ADDRESS);
  await question.dontOpen.click();
  await expect(question.sheet).toBeHidden();
  expect(await opened()).toHaveLength(2);
});
