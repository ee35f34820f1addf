import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '../harness';
import { ServersPage } from '../pages/servers-page';

test('S1, S8, S9: a file of another app is shown, and what is ticked in it is added, off', async ({ app }) => {
  const folder = mkdtempSync(join(tmpdir(), 'import-'));
  try {
    const file = join(folder, 'mcp.json');
    const text =
      '{ "servers": { // mine\n "files": { "command": "node", "args": ["x.mjs"], "disabled": false }, "both": { "command": "x", "url": "https://a.example" }, } }';
    writeFileSync(file, text);
    const servers = new ServersPage(app.window);
    await servers.open();
    await app.folderDialogPicks(file);
    await app.window.getByRole('button', { name: 'Import from a file of another app' }).press('Enter');

    const form = app.window.getByRole('form', { name: 'Import servers' });
    await expect(form).toContainText('node x.mjs');
    await expect(form).toContainText('Of “files” this was left out: disabled.');
    await expect(form.getByRole('checkbox', { name: 'both' })).toBeDisabled();
    await form.getByRole('checkbox', { name: 'files' }).press('Space');
    await form.getByRole('button', { name: 'Add 1 server (off)' }).press('Enter');

    await expect(servers.switchOf('files')).not.toBeChecked();
    await expect(servers.row('files')).toContainText('imported from mcp.json');
    expect(readFileSync(file, 'utf8')).toBe(text);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
