import type { ApprovalAnswer } from '../../src-shared/approvals/approval.schema';
import { INPUT_MAX_AGE_MS } from '../../src-main/approvals/real-act';
import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';
import { readView } from '../read-state';
import type { RunningApp } from '../running-app';

const READ = 'call notes__read_page {"page":"first"}';

test.beforeEach(async ({ app, model, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(notesCommand(folder), 'Notes');
  await servers.turnOn('Notes');
  await new ModelsPage(app.window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1' });
  await new ChatPage(app.window).startNew();
});

/** What a script in the page would do: it knows all that the window knows. */
async function answerByScript(app: RunningApp, answer: ApprovalAnswer): Promise<{ ok: boolean; problem?: { message: string } }> {
  const [request] = await readView(app.window, 'approvals');
  if (!request) throw new Error('Nothing waits.');
  const { id, digest, nonce } = request;
  const outcome = await app.window.evaluate((input) => window.host.call('approvals.answer', input), {
    id,
    digest,
    nonce,
    answer,
  });
  return outcome as { ok: boolean; problem?: { message: string } };
}

test('A9: a script in the page cannot allow a call, however long it waits', async ({ app }) => {
  const chat = new ChatPage(app.window);
  const sheet = new ToolSheet(app.window, 'read_page');
  await chat.send(READ);
  await expect(sheet.runOnce).toHaveAttribute('aria-disabled', 'false');
  for (const answer of [{ kind: 'once' }, { kind: 'this-chat' }] as const) {
    expect(await answerByScript(app, answer)).toMatchObject({
      ok: false,
      problem: { message: 'That answer came before the question could be read. Look again, then choose.' },
    });
  }
  await expect(sheet.sheet).toBeVisible();
  await expect(chat.line('Notes', 'read_page')).toHaveCount(0);
  await sheet.refuse();
});

test('A9: clicks and keys that a script makes up do not allow a call', async ({ app }) => {
  const chat = new ChatPage(app.window);
  const sheet = new ToolSheet(app.window, 'read_page');
  await chat.send(READ);
  await expect(sheet.runOnce).toHaveAttribute('aria-disabled', 'false');
  await sheet.runOnce.evaluate((button: HTMLElement) => {
    button.focus();
    button.click();
    for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click']) {
      button.dispatchEvent(new MouseEvent(type, { bubbles: true, cancelable: true, detail: 1 }));
    }
    for (const type of ['keydown', 'keyup']) button.dispatchEvent(new KeyboardEvent(type, { key: 'Enter', bubbles: true }));
  });
  await app.window.waitForTimeout(300);
  await expect(sheet.sheet).toBeVisible();
  expect(await readView(app.window, 'approvals')).toHaveLength(1);
  await sheet.refuse();
});

test('A9: a script in the page turns no model and no tool on, and can turn them off', async ({ app }) => {
  const [model] = await readView(app.window, 'models');
  const [tool] = await readView(app.window, 'tools');
  if (!model || !tool) throw new Error('There is no model or no tool.');
  const { serverId, rawName, digest } = tool;
  const byScript = (on: boolean) =>
    app.window.evaluate(
      async ([setOn, setOffered]) => [
        await window.host.call('models.setOn', setOn),
        await window.host.call('tools.setOffered', setOffered),
      ],
      [
        { id: model.id, on },
        { serverId, rawName, offered: on, digest },
      ] as const,
    );
  expect(await byScript(false)).toMatchObject([{ ok: true }, { ok: true }]);
  await app.window.waitForTimeout(INPUT_MAX_AGE_MS);
  const problem = { message: 'That came without a click or a key press in this window. Use the switch yourself.' };
  expect(await byScript(true)).toMatchObject([
    { ok: false, problem },
    { ok: false, problem },
  ]);
  expect((await readView(app.window, 'models'))[0]?.on).toBe(false);
  expect((await readView(app.window, 'tools'))[0]?.state).toBe('off');
});

test('A2: one answer settles one call, and an answer to a settled question runs nothing', async ({ app }) => {
  const chat = new ChatPage(app.window);
  const sheet = new ToolSheet(app.window, 'read_page');
  await chat.send(READ);
  await expect(sheet.sheet).toBeVisible();
  const [request] = await readView(app.window, 'approvals');
  await sheet.refuse('not today');
  const late = await app.window.evaluate((input) => window.host.call('approvals.answer', input), {
    id: request?.id,
    digest: request?.digest,
    nonce: request?.nonce,
    answer: { kind: 'once' },
  });
  expect(late).toMatchObject({
    ok: false,
    problem: { message: 'That question was already settled. Nothing was run by this answer.' },
  });
  await expect(chat.line('Notes', 'read_page')).toContainText('not run: you said no');
});
