import { AxeBuilder } from '@axe-core/playwright';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../harness';
import { ServerPage } from '../pages/server-page';
import { ServersPage } from '../pages/servers-page';
import { SignInSheet } from '../pages/sheets';
import { startSignInServer } from '../peers';
import type { RunningApp } from '../running-app';

/** Puts a person's browser in the place of the system's; the addresses it was given come back, oldest first. */
async function takeTheBrowser(app: RunningApp): Promise<() => Promise<string[]>> {
  await app.ask(({ shell }) => {
    const given: string[] = [];
    Object.assign(globalThis, { givenToBrowser: given });
    shell.openExternal = (address) => Promise.resolve(void given.push(address));
  });
  return () => app.ask(() => (globalThis as unknown as { givenToBrowser: string[] }).givenToBrowser);
}

async function violationsIn(app: RunningApp): Promise<unknown[]> {
  const { violations } = await new AxeBuilder({ page: app.window }).setLegacyMode(true).analyze();
  return violations.map(({ id, nodes }) => [id, nodes.map(({ target }) => target)]);
}

test('K1, K2, K3: a server that asks for a sign-in is signed in to by hand, host by host, and signed out again', async ({
  app,
  node,
  profile,
}) => {
  const peer = await startSignInServer(node);
  try {
    const browser = await takeTheBrowser(app);
    const servers = new ServersPage(app.window);
    await servers.addTyped(peer.address, 'issues');
    await (await servers.review('issues')).allow();
    const page = new ServerPage(app.window, 'issues');
    await expect(page.trouble).toContainText('issues asks for a sign-in');
    const before = await peer.paths();
    expect(before.filter((path) => path !== '/mcp' && path !== '/headers')).toEqual([]);

    await page.trouble.getByRole('button', { name: 'Sign in to issues' }).click();
    const sheet = new SignInSheet(app.window, 'issues');
    await expect(sheet.sheet).toContainText(new URL(peer.address).origin);
    await expect(sheet.sheet).toContainText('This app registers itself there under the name Portcullis');
    expect(await peer.paths()).not.toContain('/register');
    await expect(sheet.dontSignIn).toBeFocused();
    await sheet.contact.click();

    await expect(sheet.openBrowser).toBeVisible();
    expect(await violationsIn(app)).toEqual([]);
    expect(await browser()).toEqual([]);
    const shown = await sheet.sheet.getByRole('group', { name: 'Address' }).innerText();
    await sheet.openBrowser.click();
    await expect(sheet.sheet).toBeHidden();
    await expect.poll(browser).toEqual([shown]);
    const ledger = readFileSync(join(profile, 'ledger.jsonl'), 'utf8');
    expect(ledger).toContain('"method":"open","route":"browser-links"');
    expect(ledger).not.toContain('code_challenge');

    expect((await fetch(shown)).status).toBe(200);
    await page.tick();
    await page.turnOn();
    await page.openTab('Sign-in');
    await expect(app.window.getByText('You are signed in.')).toBeVisible();
    const token = /"(at_[0-9a-f]+)"/.exec(await (await fetch(new URL('/state', peer.address))).text())?.[1] ?? 'none';
    for (const name of readdirSync(profile)) {
      if (name.endsWith('.json') || name.endsWith('.jsonl'))
        expect(readFileSync(join(profile, name), 'utf8')).not.toContain(token);
    }

    expect(await violationsIn(app)).toEqual([]);

    await app.window.getByRole('button', { name: 'Sign out' }).click();
    await expect(app.window.getByText('This server asks for a sign-in.')).toBeVisible();
    const kept = JSON.parse(readFileSync(join(profile, 'sign-ins.json'), 'utf8')) as { tokens: object };
    expect(kept.tokens).toEqual({});
  } finally {
    await peer.stop();
  }
});

test('K2: a sign-in that is refused opens nothing and leaves the server as it was', async ({ app, node }) => {
  const peer = await startSignInServer(node);
  try {
    const browser = await takeTheBrowser(app);
    const servers = new ServersPage(app.window);
    await servers.addTyped(peer.address, 'issues');
    await (await servers.review('issues')).allow();
    await new ServerPage(app.window, 'issues').trouble.getByRole('button', { name: 'Sign in to issues' }).click();
    await new SignInSheet(app.window, 'issues').dontSignIn.click();
    await expect(app.window.getByText('The sign-in to issues was not begun.')).toBeVisible();
    expect(await browser()).toEqual([]);
    expect(await peer.paths()).not.toContain('/register');
  } finally {
    await peer.stop();
  }
});
