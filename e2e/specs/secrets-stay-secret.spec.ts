import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contract, type ViewName } from '../../src-shared/ipc/contract';
import { expect, notesCommand, test } from '../harness';
import { ChatPage } from '../pages/chat-page';
import { ModelsPage } from '../pages/models-page';
import { ServersPage } from '../pages/servers-page';
import { ToolSheet } from '../pages/sheets';
import { startHeaderWitness } from '../peers';
import { readView } from '../read-state';
import type { RunningApp } from '../running-app';

const SECRETS = { variable: 'canary/env+71c3==', header: 'canary/header+82d4==', key: 'canary/key+93e5==' };
/** Content of the chat: kept in the profile, and never logged (P8). */
const CONTENT = { prompt: 'canary-prompt-a1', argument: 'canary-argument-b2', result: 'buy milk' };

const formsOf = (secret: string): string[] => [
  secret,
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('base64url'),
  encodeURIComponent(secret),
  JSON.stringify(secret).slice(1, -1),
];

const ALL_FORMS = Object.values(SECRETS).flatMap(formsOf);
const found = (text: string, wanted: readonly string[]): string[] => wanted.filter((each) => text.includes(each));

test.use({ appEnv: { ELECTRON_ENABLE_LOGGING: '1', ELECTRON_ENABLE_STACK_DUMPING: '1' } });

test('S5, P8: a secret typed into the window is found nowhere but where it was meant to go', async ({
  app,
  profile,
  model,
  node,
  folder,
}) => {
  const witness = await startHeaderWitness(node);
  const servers = new ServersPage(app.window);
  const chat = new ChatPage(app.window);
  const seen: string[] = [];
  const look = async (): Promise<void> => void seen.push(await everythingInTheWindow(app));

  await servers.addTyped(`NOTES_TOKEN='${SECRETS.variable}' ${notesCommand(folder)}`, 'Notes');
  await look();
  await servers.turnOn('Notes');
  const entry = { mcpServers: { Witness: { type: 'http', url: witness.address, headers: { 'X-Api-Key': SECRETS.header } } } };
  await servers.addTyped(JSON.stringify(entry), 'Witness');
  await servers.turnOn('Witness');
  await look();
  await new ModelsPage(app.window).addAndTurnOn({ name: 'Scripted', address: model.address, model: 'm1', key: SECRETS.key });
  await look();

  await chat.startNew();
  await chat.send(
    `${CONTENT.prompt}\ncall notes__tell_token {}\ncall notes__read_page {"page":"${CONTENT.argument}"}\ncall witness__echo {"text":"hello"}`,
  );
  for (const tool of ['tell_token', 'read_page', 'echo']) {
    const sheet = new ToolSheet(app.window, tool);
    await expect(sheet.sheet).toBeVisible();
    await look();
    await sheet.allowOnce();
  }
  await expect(chat.conversation)
    .toContainText('You said', { useInnerText: true })
    .catch(() => undefined);
  await chat.settled();
  const result = await chat.open(chat.line('Notes', 'tell_token'));
  await expect(result.getByRole('region', { name: 'Result' })).toContainText('token');
  await expect(result.getByRole('region', { name: 'Result' })).not.toContainText('no token');
  await look();
  await app.window.getByRole('button', { name: 'Privacy' }).click();
  await look();
  await (await servers.openServer('Notes')).openTab('Log');
  await expect(app.window.getByText(/notes starts with token/)).toBeVisible();
  await look();

  // It went where it was meant to go, so the search above and below looks for something that was there.
  expect((await witness.headers()).some((headers) => headers['x-api-key'] === SECRETS.header)).toBe(true);
  const requests = await model.requests();
  expect(requests.every((request) => request.authorization === `Bearer ${SECRETS.key}`)).toBe(true);
  expect(found(JSON.stringify(requests.map((request) => request.body)), ALL_FORMS)).toEqual([]);
  for (const name of Object.keys(contract.views) as ViewName[]) seen.push(JSON.stringify(await readView(app.window, name)));

  await app.quit();
  await witness.stop();
  expect(found(seen.join('\n'), ALL_FORMS), 'in the window').toEqual([]);
  expect(found(app.printed, ALL_FORMS), 'in the log').toEqual([]);
  expect(found(app.printed, Object.values(CONTENT)), 'content in the log').toEqual([]);
  expect(filesWith(profile, ALL_FORMS), 'in the profile').toEqual([]);
  expect(filesWith(profile, [CONTENT.argument]), 'the search finds what is kept').not.toEqual([]);
});

async function everythingInTheWindow(app: RunningApp): Promise<string> {
  return app.window.evaluate(() => {
    const fields = [...document.querySelectorAll('input, textarea')].map((field) =>
      field instanceof HTMLInputElement && field.type === 'password' ? '' : (field as HTMLInputElement).value,
    );
    return [document.documentElement.outerHTML, document.body.innerText, ...fields].join('\n');
  });
}

function filesWith(folder: string, wanted: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => found(readFileSync(file, 'latin1'), wanted).length > 0);
}
