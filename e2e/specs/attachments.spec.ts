import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { expect, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';

async function expectNothingFound(window: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page: window }).setLegacyMode(true).analyze();
  expect(violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} ${target.join(' ')}`))).toEqual([]);
}

test('W8, O2, W3: a resource and a prompt go along with a message, and a running call shows its progress and can be stopped', async ({
  app,
  everything,
  model,
}) => {
  const { window } = app;
  const chat = new ChatPage(window);
  const servers = new ServersPage(window);
  await servers.addTyped(everything.address, 'Everything');
  await servers.turnOn('Everything');
  await new ModelsPage(window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
  await chat.startNew();
  const attached = window.getByRole('list', { name: 'Attached to this message' });

  await test.step('W8: @ lists resources; arrows choose, Enter attaches, Escape closes', async () => {
    await chat.message.pressSequentially('Look at @dynamic text');
    const list = window.getByRole('listbox', { name: 'Resources' });
    await expect(list.getByRole('option').first()).toHaveAttribute('aria-selected', 'true');
    await chat.message.press('Escape');
    await expect(list).toBeHidden();
    await chat.message.press('Backspace');
    await expect(list).toBeVisible();
    await expectNothingFound(window);
    await chat.message.press('Enter');
  });

  await test.step('W8: what a template needs is asked for, and a required field is not skipped', async () => {
    const form = window.getByRole('group', { name: /Everything$/ });
    await expect(form.getByRole('textbox', { name: 'resourceId' })).toBeFocused();
    await form.getByRole('button', { name: 'Attach' }).click();
    await expect(form).toContainText('Fill in resourceId');
    await expectNothingFound(window);
    await form.getByRole('textbox', { name: 'resourceId' }).fill('7');
    await form.getByRole('textbox', { name: 'resourceId' }).press('Enter');
    await expect(attached.getByRole('listitem')).toHaveCount(1);
    await expect(chat.message).toBeFocused();
    await expect(chat.message).toHaveValue('Look at ');
  });

  await test.step('W8: / lists prompts', async () => {
    await chat.message.pressSequentially('/simple');
    await expect(window.getByRole('listbox', { name: 'Prompts' }).getByRole('option')).toHaveCount(1);
    await chat.message.press('Enter');
    await expect(attached.getByRole('listitem')).toHaveCount(2);
    expect(await model.requests()).toEqual([]);
  });

  await test.step('O2: the model reads them in the turn of the user, framed; the transcript opens to show them', async () => {
    await chat.message.press('Enter');
    await expect(chat.conversation).toContainText('You said: Look at');
    await chat.settled();
    await expect(attached).toBeHidden();
    const sent = (await model.requests()).at(-1)!.body.messages.filter(({ role }) => role === 'user');
    expect(sent).toHaveLength(1);
    const text = String(sent[0]!.content);
    expect(text).toMatch(/^Look at \n\nThe user attached the resource ".+" from the "Everything" MCP server:\n<tool_output /);
    expect(text).toContain('[resource demo://resource/dynamic/text/7]');
    expect(text).toMatch(/The user attached the prompt ".+" from the "Everything" MCP server:\n<tool_output /);
    const line = chat.conversation.locator('summary').filter({ hasText: 'Everything · resource' });
    const opened = await chat.open(line);
    await expect(opened.getByRole('region').first()).toContainText('demo://resource/dynamic/text/7');
  });

  await test.step('W3: progress is shown, and Stop ends that call alone', async () => {
    await chat.send('call everything__trigger-long-running-operation {"duration":120,"steps":240}');
    await new ToolSheet(window, 'trigger-long-running-operation').allowOnce();
    const bar = chat.conversation.getByRole('progressbar', { name: 'Progress of trigger-long-running-operation' });
    await expect(bar).toBeVisible();
    await expect.poll(() => bar.evaluate((element: HTMLProgressElement) => element.value)).toBeGreaterThan(0);
    await expectNothingFound(window);
    await chat.conversation.getByRole('button', { name: 'Stop trigger-long-running-operation' }).click();
    await expect(bar).toBeHidden();
    await expect(chat.line('Everything', 'trigger-long-running-operation')).toContainText('failed');
    await chat.settled();
    await expect(chat.conversation).toContainText('was cancelled');
  });
});
