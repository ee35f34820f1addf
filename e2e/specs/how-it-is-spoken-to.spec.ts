import { expect, test } from '../harness';
import { startEverything } from '../peers';
import { ServersPage } from '../pages/servers-page';

test('W1, S3, T2: an older address works by itself; another transport asks for a review again, another era does not', async ({
  app,
  node,
}) => {
  const peer = await startEverything(node, 'sse');
  try {
    const servers = new ServersPage(app.window);
    await servers.addTyped(peer.address, 'Everything');
    const page = await servers.turnOn('Everything');
    await expect(page.toolSwitch('echo')).toBeChecked();

    await page.openTab('Limits');
    await app.window.getByText('How it is spoken to', { exact: true }).click();
    const choices = app.window.getByRole('form', { name: 'How Everything is spoken to' });
    const save = choices.getByRole('button', { name: 'Save how it is spoken to' });
    await choices.getByRole('combobox', { name: 'Protocol' }).selectOption({ label: 'With a session, 2025-11-25 and before' });
    await save.click();
    await expect(choices.getByRole('status')).toHaveText('Saved.');
    await expect(page.serverSwitch).toBeChecked();

    await choices.getByRole('combobox', { name: 'Transport' }).selectOption({ label: 'HTTP+SSE, the older one' });
    await save.click();
    await expect(page.serverSwitch).not.toBeChecked();
    const sheet = await page.review();
    await expect(sheet.sheet).toContainText('The address, its headers or its transport changed since you approved it');
    await expect(sheet.sheet).toContainText('Spoken to over HTTP+SSE, as you chose.');
    await sheet.allow();
    await page.tick();
    await page.turnOn();
    await page.openTab('Tools');
    await expect(page.toolSwitch('echo')).toBeChecked();
  } finally {
    await peer.stop();
  }
});
