import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, notesCommand, test } from '../harness';
import { ServersPage } from '../pages/servers-page';
import { startHeaderWitness } from '../peers';
import { processesWith } from '../processes';
import { readView } from '../read-state';

const VALUE = 'canary-variable-4411';
const QUERY = 'canary-query-7702';
const everythingIn = (profile: string): string =>
  readdirSync(profile, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

test.use({ appEnv: { PORTCULLIS_TEST_TOKEN: VALUE } });

test('S6: an unset variable is named with its place, and the program is not started', async ({ app, folder }) => {
  const servers = new ServersPage(app.window);
  await servers.addTyped(`NOTES_TOKEN='\${NOT_SET_ANYWHERE}' ${notesCommand(folder)}`, 'Notes');
  await servers.open();
  await servers.switchOf('Notes').click();
  await expect(
    app.window.getByText(/The variable NOT_SET_ANYWHERE, used in the variable NOTES_TOKEN, is not set on this computer/),
  ).toBeVisible();
  expect(processesWith(folder)).toEqual([]);
});

test('S6, S5: the review names each variable and its receiver, and no value of one is in the window or the profile', async ({
  app,
  node,
  profile,
}) => {
  const witness = await startHeaderWitness(node);
  const servers = new ServersPage(app.window);
  await servers.type(`${witness.address}?api_key=${QUERY}`, 'Remote');
  await expect(servers.addForm.getByRole('textbox', { name: 'Address', exact: true })).toHaveValue(
    /\?api_key=\$\{input:api_key\}$/,
  );
  await servers.addForm.getByRole('button', { name: 'Add a header' }).click();
  await servers.addForm.getByRole('textbox', { name: 'Name of header 1' }).fill('X-Team');
  await servers.addForm.getByRole('textbox', { name: 'Value of X-Team' }).fill('${PORTCULLIS_TEST_TOKEN}');
  await servers.addButton.click();
  await expect(servers.addForm).toBeHidden();

  const sheet = await servers.review('Remote');
  const filledIn = sheet.sheet.getByRole('list', { name: 'Filled in' });
  await expect(filledIn).toContainText('PORTCULLIS_TEST_TOKEN');
  await expect(filledIn).toContainText(`into the header X-Team, for ${new URL(witness.address).host}`);
  await expect(filledIn).toContainText('into the address');
  await expect(sheet.sheet).toContainText('goes without encryption');
  const seen = `${JSON.stringify(await readView(app.window, 'approvals'))}${await app.window.content()}`;
  for (const value of [VALUE, QUERY]) {
    expect(seen).not.toContain(value);
    expect(everythingIn(profile)).not.toContain(value);
  }
  await sheet.keepOff.click();
});
