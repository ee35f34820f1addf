import { describe, expect, test } from 'vitest';
import {
  askedInputs,
  adviseNamespace,
  changesConsent,
  mayBeSecret,
  namespaceOf,
  toDraft,
  toEdit,
  type EditedValue,
  type ServerEdit,
} from '../../../src-renderer/servers/server-edit';
import type { Connection, SecretRef, ServerDraft } from '../../../src-shared/servers/server.schema';

const ref = 'secret-1' as SecretRef;
const program: Connection = {
  kind: 'stdio',
  command: 'npx',
  args: [
    { kind: 'literal', value: '-y' },
    { kind: 'literal', value: '' },
    { kind: 'secret', ref },
  ],
  cwd: '/home/you',
  env: [
    { name: 'LANG', value: { kind: 'literal', value: 'en' } },
    { name: 'API_TOKEN', value: { kind: 'secret', ref } },
  ],
};
const address: Connection = {
  kind: 'http',
  endpoint: 'https://mcp.example.com/a?b=c',
  headers: [{ name: 'Authorization', value: { kind: 'secret', ref } }],
};

const draftOf = (connection: Connection): ServerDraft => ({ name: 'files', namespace: 'files', connection });
const value = (change: Partial<EditedValue>): EditedValue => ({ name: '', text: '', secret: false, saved: null, ...change });
const editOf = (change: Partial<ServerEdit>, connection: Connection = program): ServerEdit => ({
  ...toEdit(draftOf(connection)),
  ...change,
});
const problemOf = (edit: ServerEdit, taken: string[] = []): string | null => {
  const draft = toDraft(edit, taken);
  return draft.ok ? null : draft.problem;
};

test.each([program, address])('S3: a form that nobody touched stands for what was stored: %j', (connection) => {
  expect(toDraft(editOf({}, connection), [])).toEqual({ ok: true, value: draftOf(connection) });
});

test('S5: a saved secret never comes into a field', () => {
  expect(JSON.stringify(toEdit(draftOf(program)).env[1])).toBe('{"name":"API_TOKEN","text":"","secret":true,"saved":"secret-1"}');
});

const typedValues: [value: EditedValue, kept: unknown, because: string][] = [
  [value({ name: 'A_KEY', text: 'x', secret: true }), { kind: 'new-secret', value: 'x' }, 'a new secret'],
  [
    value({ name: 'A_KEY', text: 'y', secret: true, saved: ref }),
    { kind: 'new-secret', value: 'y' },
    'one that replaces another',
  ],
  [value({ name: 'A_KEY', secret: true, saved: ref }), { kind: 'secret', ref }, 'one that stays'],
  [value({ name: 'A_KEY', text: 'z' }), { kind: 'literal', value: 'z' }, 'plain text'],
  [value({ name: 'NODE_OPTIONS', text: '-r x', secret: true }), { kind: 'literal', value: '-r x' }, 'what runs is never hidden'],
];
test.each(typedValues)('T1, S5: %j is sent as %j (%s)', (typed, kept) => {
  const draft = toDraft(editOf({ env: [typed] }), []);
  expect(draft.ok && draft.value.connection.kind === 'stdio' && draft.value.connection.env).toEqual([
    { name: typed.name, value: kept },
  ]);
});

const typedArguments: [value: EditedValue, kept: unknown][] = [
  [value({ text: 'x', secret: true }), { kind: 'new-secret', value: 'x' }],
  [value({ text: 'y', secret: true, saved: ref }), { kind: 'new-secret', value: 'y' }],
  [value({ secret: true, saved: ref }), { kind: 'secret', ref }],
  [value({ text: 'z' }), { kind: 'literal', value: 'z' }],
];
test.each(typedArguments)('S5: the argument %j is sent as %j, and has a box for a secret', (typed, kept) => {
  const draft = toDraft(editOf({ args: [value({ text: '--key' }), typed] }), []);
  expect(draft.ok && draft.value.connection.kind === 'stdio' && draft.value.connection.args[1]).toEqual(kept);
  expect(mayBeSecret('stdio', typed.name)).toBe(true);
});

test('T1: a name that changes what runs has no box for a secret, and a header of that name has one', () => {
  expect([mayBeSecret('stdio', ' node_options '), mayBeSecret('stdio', 'A_KEY'), mayBeSecret('http', 'PATH')]).toEqual([
    false,
    true,
    true,
  ]);
});

const problems: [change: Partial<ServerEdit>, connection: Connection, problem: string][] = [
  [{ name: '  ' }, program, 'Give the server a name.'],
  [{ namespace: '' }, program, 'Give the server a short name, such as files.'],
  [{ command: ' ' }, program, 'Enter the command that starts the server.'],
  [{ env: [value({ text: 'x' })] }, program, 'Give every variable a name, or remove the row.'],
  [{ headers: [value({ text: 'x' })] }, address, 'Give every header a name, or remove the row.'],
  [{ env: [value({ name: 'A_KEY', secret: true })] }, program, 'Enter the secret for A_KEY, or untick its box.'],
  [{ args: [value({ secret: true })] }, program, 'Enter the secret for the argument, or untick its box.'],
  [
    { env: [value({ name: 'A_KEY', saved: ref })] },
    program,
    'Enter a value for A_KEY, or tick its box to keep the saved secret.',
  ],
  [
    { env: [value({ name: 'NODE_OPTIONS', secret: true, saved: ref })] },
    program,
    'Enter a value for NODE_OPTIONS: it changes what runs, so the saved secret cannot stand there.',
  ],
  [{ headers: [value({ name: 'a b' })] }, address, 'Use a header name without blanks and without =.'],
  [{ endpoint: 'ftp://x' }, address, 'Use an address that starts with https://.'],
];
test.each(problems)('S2: %j is told before it is sent', (change, connection, problem) => {
  expect(problemOf(editOf(change, connection))).toBe(problem);
});

test('S9: an empty row is left out', () => {
  const draft = toDraft(editOf({ env: [value({})] }), []);
  expect(draft.ok && draft.value.connection.kind === 'stdio' && draft.value.connection.env).toEqual([]);
});

describe('the short name', () => {
  test('N1: follows the name until one is typed, and is free', () => {
    expect(namespaceOf({ name: 'My files', namespace: null }, ['my-files'])).toBe('my-files-2');
    expect(namespaceOf({ name: 'My files', namespace: 'mine' }, [])).toBe('mine');
  });

  test('S11: one in use is told, with another that is free', () => {
    expect(adviseNamespace('Files'.toLowerCase(), ['FILES'])).toBe(
      '“files” is the short name of another server. Choose a different one, such as files-2.',
    );
  });

  test('N1: one that is not legal is told', () => {
    expect([adviseNamespace('a__b', []), adviseNamespace('files', [])]).toEqual([
      'Use single underscores in the short name: two in a row separate it from the name of a tool.',
      null,
    ]);
  });
});

const own = (name: string): SecretRef => `secret-${name}` as SecretRef;
const withSecrets: Connection = {
  kind: 'stdio',
  command: 'node',
  args: [{ kind: 'secret', ref: own('argument') }],
  env: [{ name: 'API_TOKEN', value: { kind: 'secret', ref: own('variable') } }],
};
const typedAnew = (name: string, saved: SecretRef | null) => value({ name, text: 'new', secret: true, saved });

const consent: [change: Partial<ServerEdit>, connection: Connection, changes: boolean][] = [
  [{}, program, false],
  [{ name: 'other', namespace: 'other' }, program, false],
  [{ command: 'node' }, program, true],
  [{ cwd: '' }, program, true],
  [{ args: [value({ text: '-y' })] }, program, true],
  [{ env: [...toEdit(draftOf(program)).env].reverse() }, program, false],
  [{ env: [value({ name: 'API_TOKEN', text: 'new', secret: true, saved: ref })] }, program, true],
  [{ endpoint: 'https://mcp.example.com/' }, address, true],
  [{ env: [typedAnew('API_TOKEN', own('variable'))] }, withSecrets, false],
  [{ env: [typedAnew('API_KEY', own('variable'))] }, withSecrets, true],
  [{ args: [typedAnew('', own('argument'))] }, withSecrets, false],
  [{ args: [typedAnew('', null), value({ secret: true, saved: own('argument') })] }, withSecrets, true],
  [{ headers: [typedAnew('Authorization', ref)] }, address, false],
  [{ headers: [value({ name: 'Authorization', text: 'new' })] }, address, true],
];
test.each(consent)('S3 T2: saving %j over %j changes what was consented to: %s', (change, connection, changes) => {
  const draft = toDraft(editOf(change, connection), []);
  expect(draft.ok && changesConsent(connection, draft.value.connection)).toBe(changes);
});

const asking: Connection = {
  kind: 'http',
  endpoint: 'https://mcp.example.com/a?key=${input:key}',
  headers: [],
  inputs: [{ key: 'key', value: { kind: 'secret', ref } }],
};
const passing: Connection = {
  kind: 'stdio',
  command: 'docker',
  args: [],
  env: [{ name: 'API_TOKEN', value: { kind: 'inherit' } }],
};

test.each([asking, passing])('S6: an entry with a variable comes out of its form as it went in: %j', (connection) => {
  expect(toDraft(editOf({}, connection), [])).toEqual({ ok: true, value: draftOf(connection) });
});

test('S6: what an entry asks for is asked in the form, kept as a secret, and forgotten once nothing asks', () => {
  const empty = editOf({ inputs: [] }, asking);
  expect(askedInputs(empty)).toMatchObject([{ name: 'key', secret: true, text: '' }]);
  expect(problemOf(empty)).toMatch(/^Enter the secret for key/);
  const typed = toDraft({ ...empty, inputs: [value({ name: 'key', text: 'typed', secret: true })] }, []);
  expect(typed).toMatchObject({
    value: { connection: { inputs: [{ key: 'key', value: { kind: 'new-secret', value: 'typed' } }] } },
  });
  const without = toDraft(editOf({ endpoint: 'https://mcp.example.com/a' }, asking), []);
  expect(without.ok && without.value.connection).not.toHaveProperty('inputs');
});

test('S6: a secret is not read for variables', () => {
  expect(askedInputs(editOf({ env: [value({ name: 'K', text: '${input:key}', secret: true })] }))).toEqual([]);
});

test('S3, S6: another value of what was asked for does not ask for a review again', () => {
  const draft = toDraft(editOf({ inputs: [value({ name: 'key', text: 'new', secret: true, saved: ref })] }, asking), []);
  expect(draft.ok && changesConsent(asking, draft.value.connection)).toBe(false);
});

test('S9: how an address is spoken to outlives the form, and is no matter of a program', () => {
  const wire = { protocol: 'sse', era: 'auto' } as const;
  const edit = toEdit({ name: 'a', connection: { kind: 'http', endpoint: 'https://a.example/sse', headers: [] }, wire });
  const draft = toDraft(edit, []);
  expect(draft.ok && draft.value.wire).toEqual(wire);
  const program = toDraft({ ...edit, kind: 'stdio', command: 'node' }, []);
  expect(program.ok && 'wire' in program.value).toBe(false);
});
