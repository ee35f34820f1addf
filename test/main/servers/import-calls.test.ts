import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { importCalls } from '../../../src-main/servers/import-calls';
import { failed, ok } from '../../../src-shared/base/result';
import type { ServerDraft, ServerId, ServerSource } from '../../../src-shared/servers/server.schema';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'import-'));
  file = join(folder, 'mcp.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function setUp(content: string | Uint8Array | null, taken: string[] = []) {
  if (content !== null) writeFileSync(file, content);
  const added: [ServerDraft, ServerSource][] = [];
  const calls = importCalls({
    store: {
      takenNamespaces: () => taken,
      add: (draft, source) => {
        if (draft.name === 'unlucky') return failed('Its short name is in use.');
        added.push([draft, source]);
        return ok('an-id' as ServerId);
      },
    },
    pickFile: async () => (content === null ? null : file),
  });
  return { calls, added };
}

async function previewed(calls: ReturnType<typeof setUp>['calls']) {
  const read = await calls['servers.readImport']({});
  if (!read.ok || read.value.preview === null) throw new Error('nothing was read');
  return read.value.preview;
}

const CANARY = 'canary-0f3a';
const entries = `\uFEFF{ // from another app\r\n "mcpServers": {
  "files": { "command": "npx", "args": ["-y", "a b"], "env": { "API_TOKEN": "${CANARY}", "PORT": 1 }, "disabled": false, "autoApprove": ["*"] },
  "both": { "command": "x", "url": "https://a.example" },
  "web": { "type": "sse", "url": "https://a.example/sse?token=${CANARY}", "headers": { "Authorization": "Bearer ${CANARY}" } },
  "asks": { "url": "https://a.example", "headers": { "X-Key": "\${input:key}" } },
  "unlucky": { "command": "x" },
} }`;

describe('servers.readImport and servers.import', () => {
  test('S5 S9: shows each entry literally, with what was dropped and why one is refused, and no secret', async () => {
    const { calls, added } = setUp(entries, ['files']);
    const { rows, file: shown } = await previewed(calls);
    expect(shown).toBe(file);
    expect(rows.map(({ name, namespace, lines }) => [name, namespace, lines])).toEqual([
      ['files', 'files-2', ['npx -y "a b"', 'API_TOKEN=(secret)', 'PORT=1']],
      ['both', '', []],
      ['web', 'web', ['https://a.example/sse?token=${input:token}', 'Authorization: (secret)']],
      ['asks', '', [expect.stringContaining('https://a.example'), 'X-Key: ${input:key}']],
      ['unlucky', 'unlucky', ['x']],
    ]);
    expect(rows[0]?.notes).toEqual(['Of “files” this was left out: disabled, autoApprove.']);
    expect(rows[1]?.problem).toMatch(/an address and a command/);
    expect(rows[3]?.problem).toMatch(/It asks for key/);
    expect(JSON.stringify(rows)).not.toContain(CANARY);
    expect(added).toEqual([]);
  });

  test('S1 S8 S9: adds the ticked ones with the file they came from, and a problem of one is its own', async () => {
    const { calls, added } = setUp(entries);
    const { readingId } = await previewed(calls);
    expect(await calls['servers.import']({ readingId, ticked: [0, 0, 1, 2, 4, 40] })).toEqual(
      ok({ added: 2, problems: ['“unlucky” was not added. Its short name is in use.'] }),
    );
    expect(added.map(([{ name, namespace, wire }, source]) => [name, namespace, wire?.protocol, source])).toEqual([
      ['files', 'files', undefined, { kind: 'imported', file }],
      ['web', 'web', 'sse', { kind: 'imported', file }],
    ]);
    expect(JSON.stringify(added[0]?.[0])).toContain(`{"kind":"new-secret","value":"${CANARY}"}`);
    expect(JSON.stringify(added)).not.toMatch(/enabled|disabled|autoApprove/);
  });

  test('S9: what was not shown, or was added once, cannot be added', async () => {
    const { calls, added } = setUp(entries);
    const { readingId } = await previewed(calls);
    expect((await calls['servers.import']({ readingId: 'another', ticked: [0] })).ok).toBe(false);
    expect((await calls['servers.import']({ readingId, ticked: [] })).ok).toBe(true);
    expect((await calls['servers.import']({ readingId, ticked: [0] })).ok).toBe(false);
    expect(added).toEqual([]);
  });

  test('S9: a closed dialog reads nothing, and an unreadable text says line and column', async () => {
    expect(await setUp(null).calls['servers.readImport']({})).toEqual(ok({ preview: null }));
    const broken = await setUp('{\n "a": }').calls['servers.readImport']({});
    expect(broken.ok ? '' : broken.problem.message).toMatch(/Line 2, column 7/);
  });

  test('S9, S1, B88: a dropped file is shown and added like one that was picked, and keeps nothing of its switches', async () => {
    const { calls, added } = setUp(null);
    const read = await calls['servers.readDropped']({ file: 'dropped.json', text: entries });
    if (!read.ok) throw new Error(read.problem.message);
    const { preview } = read.value;
    expect([preview.file, JSON.stringify(preview).includes(CANARY)]).toEqual(['dropped.json', false]);
    expect(preview.rows[0]?.notes.join()).toContain('disabled, autoApprove');
    expect(added).toEqual([]);
    await calls['servers.import']({ readingId: preview.readingId, ticked: [0] });
    expect(added.map(([, source]) => source)).toEqual([{ kind: 'imported', file: 'dropped.json' }]);
    expect(await calls['servers.readDropped']({ file: 'x', text: 'not a config' })).toMatchObject({ ok: false });
  });
});
