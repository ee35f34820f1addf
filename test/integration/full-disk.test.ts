import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { bundleForNode } from '../support/bundle-for-node';
import { tempFolder } from '../support/temp-folder';

const run = promisify(execFile);

// A disk of its own needs rights of its own: both come with new namespaces, and end with them.
const ON_A_SMALL_DISK = `
set -e
mount -t tmpfs -o size=$4 tmpfs "$1"
"$2" "$3" "$1/servers.json" entry 100000 2>"$1.said" || true
ls -A "$1"
echo ---
cat "$1/servers.json"
`;

test('S4: on a disk that fills up the file is whole with all that was saved before, and the reason is said', async () => {
  const [script, folder] = [await bundleForNode('test/fixtures/storage/add-many.ts'), tempFolder()];
  const disk = ['sh', '-c', `${ON_A_SMALL_DISK}\necho ---; cat "$1.said"; rm "$1.said"`, 'sh', folder, process.execPath, script];
  const { stdout } = await run('unshare', ['-Urm', ...disk, '32k'], { maxBuffer: 16 * 1024 * 1024 });
  const [listed = '', text = '', said = ''] = stdout.split('---\n');
  expect(listed.split('\n')).toContain('servers.json');
  const { entries } = JSON.parse(text) as { entries: string[] };
  expect(entries.length).toBeGreaterThan(5);
  expect(entries).toEqual(entries.map((_, nth) => `entry-${nth}`));
  expect(said).toContain('servers.json could not be saved. Check that the disk has room');
});
