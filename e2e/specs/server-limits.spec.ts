import { expect, notesCommand, test } from '../harness';
import { ServersPage } from '../pages/servers-page';
import { processesWith } from '../processes';
import { readView } from '../read-state';

test('W2, S3, W5, W6: limits are set with a sentence for what is out of bounds, and change nothing of what was approved', async ({
  app,
}) => {
  const { window } = app;
  const words = `limits-${process.pid}`;
  const servers = new ServersPage(window);
  await servers.addTyped(notesCommand(words), 'Notes');
  const page = await servers.turnOn('Notes');

  await test.step('W6: one that died says so, when it is tried again, and comes back by Retry', async () => {
    for (const pid of processesWith(words)) process.kill(pid, 'SIGKILL');
    await expect(page.trouble).toContainText('The next call tries it again');
    await page.trouble.getByRole('button', { name: 'Retry' }).click();
    await expect(page.trouble).toBeHidden();
    await expect.poll(() => processesWith(words).length).toBe(1);
  });
  const before = (await readView(window, 'servers'))[0]!;

  await test.step('W2: a reply over 64 MiB is not taken, and the sentence says what is', async () => {
    await page.openTab('Limits');
    const form = window.getByRole('form', { name: 'Limits of Notes' });
    await form.getByRole('textbox', { name: 'Largest reply' }).fill('65');
    await form.getByRole('button', { name: 'Save limits' }).click();
    await expect(form).toContainText('Set the largest reply to between 0.001 and 64 MiB.');
    await form.getByRole('textbox', { name: 'Largest reply' }).fill('3.5');
    await form.getByRole('textbox', { name: 'Time for a call' }).fill('45');
    await form.getByRole('button', { name: 'Save limits' }).click();
    await expect(form.getByRole('status')).toContainText('Saved.');
  });

  await test.step('S3: the server stays on and approved', async () => {
    const after = (await readView(window, 'servers'))[0]!;
    expect(after.limits).toEqual({ ...before.limits, maxReplyBytes: 3_670_016, callTimeoutMs: 45_000 });
    expect([after.enabled, after.approvedAt, after.status.kind]).toEqual([true, before.approvedAt, 'on']);
  });

  await test.step('W5: its log is told by who said it, and can be copied', async () => {
    await page.openTab('Log');
    await expect(window.getByRole('table', { name: 'Log of Notes' })).toContainText('notes starts');
    await window.getByRole('button', { name: 'Copy the log of Notes' }).click();
    await expect(window.getByText('Copied.')).toBeVisible();
  });
});
