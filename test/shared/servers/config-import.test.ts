import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { understandTyped } from '../../../src-shared/servers/typed-entry';

const fixture = (name: string): string => readFileSync(new URL(`../../fixtures/hostile/data/${name}`, import.meta.url), 'utf8');

function understood(text: string) {
  const result = understandTyped(text);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
}

describe('S9 B71: entries as other apps write them', () => {
  const { drafts, notes } = understood(fixture('B71-types.json'));

  test('S9 B71: the ten clear ones are read, eight of them addresses', () => {
    expect(drafts.map(({ name, connection }) => [name, connection.kind])).toEqual([
      ...['url_without_type', 'type_http', 'type_streamable', 'type_streamable_camel'].map((name) => [name, 'http']),
      ...['transport_underscore', 'type_sse', 'type_remote', 'serverUrl'].map((name) => [name, 'http']),
      ...['type_local_array', 'stdio_plain'].map((name) => [name, 'stdio']),
    ]);
  });

  test('S9 B71: only the sse one is set to be spoken to in that way', () => {
    expect(drafts.flatMap(({ name, wire }) => (wire ? [[name, wire]] : []))).toEqual([
      ['type_sse', { protocol: 'sse', era: 'auto' }],
    ]);
  });

  test('S9 B71: a command as a list is a command with arguments, and environment is env', () => {
    expect(drafts.find(({ name }) => name === 'type_local_array')?.connection).toEqual({
      kind: 'stdio',
      command: 'node',
      args: [{ kind: 'literal', value: 'B01.mjs' }],
      env: [{ name: 'A', value: { kind: 'literal', value: '1' } }],
    });
  });

  test('S9 B71: the three others are told, each with its reason', () => {
    expect(notes).toEqual([
      '“both” was left out. It has an address and a command, and only one of them can be meant. Take out the one that is wrong.',
      '“neither” was left out. It has neither a command nor an address. Add one of them.',
      '“unknown_type” was left out. Its type is not one this app knows. Use stdio or http.',
    ]);
  });

  test('S9 B71: a file with servers as its root is read', () => {
    expect(understood(fixture('B71-servers.json')).drafts).toEqual([
      { name: 'time', connection: { kind: 'http', endpoint: 'http://localhost:8001/mcp', headers: [] } },
    ]);
  });

  test('S9 B71: what stands where an entry belongs is told too', () => {
    expect(understood('{"mcpServers":{"a":{"command":"x"},"b":"npx y"}}').notes).toEqual([
      '“b” was left out. It is not an entry of named fields.',
    ]);
  });
});

test('S9 B72: a byte order mark, CRLF and a Windows path with a blank are read', () => {
  const text = fixture('B72-bom.json');
  expect(text.startsWith('\uFEFF')).toBe(true);
  const { drafts, notes } = understood(text);
  expect(drafts).toHaveLength(2);
  expect(notes).toEqual([]);
  expect(JSON.stringify(drafts)).toMatch(/[A-Z]:\\\\[^"]* [^"]*/);
});

test('S9 B74: placeholders and what only looks like one stay as they are written', () => {
  const { drafts } = understood(fixture('B74-vars.json'));
  expect(drafts.map(({ name }) => name)).toEqual(['remote', 'local']);
  const text = JSON.stringify(drafts);
  for (const kept of [
    '${MY_URL}/mcp',
    '${env:OTHER_KEY}',
    '${UNSET_ONE:-fallback}',
    '${input:key}',
    '--price=$5',
    'a${b',
    '${${X}}',
  ])
    expect(text).toContain(kept);
});

test('S1 S9 B75: switches of another app mean nothing, and each is told', () => {
  const { drafts, notes, said } = understood(fixture('B75-disabled.json'));
  expect(drafts).toHaveLength(6);
  expect(said).toMatch(/All are added off\.$/);
  for (const draft of drafts) expect(Object.keys(draft).sort()).toEqual(['connection', 'name']);
  expect(notes).toEqual([
    'Of “off_http” this was left out: disabled.',
    'Of “off_stdio” this was left out: disabled.',
    'Of “off_enabled_false” this was left out: enabled.',
    'Of “both_flags” this was left out: enabled, disabled.',
    'Of “string_flag” this was left out: disabled.',
  ]);
});
