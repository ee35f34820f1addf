import { failed, ok, type Result } from '../../src-shared/base/result';
import { changesWhatRuns, connectionForm } from '../../src-shared/servers/launch-rule';
import { checkNamespace, NAMESPACE_ADVICE, sameNamespace, suggestNamespace } from '../../src-shared/servers/namespace-rule';
import { checkConnection } from '../../src-shared/servers/server-decoder';
import {
  type Connection,
  type DraftValue,
  type DraftVariable,
  type SecretRef,
  SecretRefSchema,
  type ServerDraft,
  ServerDraftSchema,
} from '../../src-shared/servers/server.schema';
import type { WireChoice } from '../../src-shared/servers/wire-choice.schema';
import { inputKeysIn } from '../../src-shared/servers/variables-rule';
import { toStoredConnection } from '../../src-shared/servers/stored-draft-rule';

/** One value in a form. `saved` names the secret that stands for it while nothing new is typed. */
export interface EditedValue {
  /** Empty for an argument. */
  name: string;
  text: string;
  secret: boolean;
  saved: SecretRef | null;
  /** Passed on from this computer by name, without a value of its own (S6). */
  inherits?: boolean;
}

/** A server as it stands in a form, half typed or whole. */
export interface ServerEdit {
  name: string;
  /** Null follows the name until the user types one (N1). */
  namespace: string | null;
  kind: 'stdio' | 'http';
  command: string;
  args: readonly EditedValue[];
  cwd: string;
  env: readonly EditedValue[];
  endpoint: string;
  headers: readonly EditedValue[];
  /** What the entry asks for with `${input:key}`; the name is the key. */
  inputs: readonly EditedValue[];
  /** As another app's file says the address is spoken to; left out, it is found out. */
  wire?: WireChoice;
}

export const EMPTY_VALUE: EditedValue = { name: '', text: '', secret: false, saved: null };

function toEdited(name: string, value: DraftVariable): EditedValue {
  if (value.kind === 'inherit') return { ...EMPTY_VALUE, name, inherits: true };
  return {
    name,
    text: value.kind === 'secret' ? '' : value.value,
    secret: value.kind !== 'literal',
    saved: value.kind === 'secret' ? value.ref : null,
  };
}

/** Opens a draft, or a stored server, for editing. */
export function toEdit(draft: ServerDraft): ServerEdit {
  const { connection } = draft;
  const inputs = (connection.inputs ?? []).map(({ key, value }) => ({ ...toEdited(key, value), secret: true }));
  const empty = { command: '', args: [], cwd: '', env: [], endpoint: '', headers: [], inputs };
  const start = { ...empty, name: draft.name, namespace: draft.namespace ?? null, kind: connection.kind };
  if (connection.kind === 'http') {
    const headers = connection.headers.map(({ name, value }) => toEdited(name, value));
    return { ...start, endpoint: connection.endpoint, headers, ...(draft.wire && { wire: draft.wire }) };
  }
  return {
    ...start,
    command: connection.command,
    args: connection.args.map((value) => toEdited('', value)),
    cwd: connection.cwd ?? '',
    env: connection.env.map(({ name, value }) => toEdited(name, value)),
  };
}

/** A value that decides what runs stays in sight, whatever its box says (T1). */
export const mayBeSecret = (kind: ServerEdit['kind'], name: string): boolean => kind === 'http' || !changesWhatRuns(name.trim());

const isSecret = (kind: ServerEdit['kind'], value: EditedValue): boolean => value.secret && mayBeSecret(kind, value.name);

const toVariable = (value: EditedValue): DraftVariable => (value.inherits ? { kind: 'inherit' } : toValue('stdio', value));

function toValue(kind: ServerEdit['kind'], value: EditedValue): DraftValue {
  if (!isSecret(kind, value)) return { kind: 'literal', value: value.text };
  if (value.text === '' && value.saved !== null) return { kind: 'secret', ref: value.saved };
  return { kind: 'new-secret', value: value.text };
}

export const namespaceOf = (edit: Pick<ServerEdit, 'name' | 'namespace'>, taken: readonly string[]): string =>
  edit.namespace ?? suggestNamespace(edit.name, taken);

/** What is wrong with a short name, in words; null when it can stand. Main decides again (E2, N1). */
export function adviseNamespace(namespace: string, taken: readonly string[]): string | null {
  const checked = checkNamespace(namespace);
  if (!checked.ok) return NAMESPACE_ADVICE[checked.problem];
  if (!taken.some((other) => sameNamespace(other, namespace))) return null;
  return `“${namespace}” is the short name of another server. Choose a different one, such as ${suggestNamespace(namespace, taken)}.`;
}

function adviseSecrets(kind: ServerEdit['kind'], values: readonly EditedValue[]): string | null {
  for (const value of values) {
    if (value.text !== '' || value.inherits) continue;
    const what = value.name.trim() === '' ? 'the argument' : value.name.trim();
    if (isSecret(kind, value)) {
      if (value.saved === null) return `Enter the secret for ${what}, or untick its box.`;
    } else if (value.saved !== null) {
      // An unticked box must not turn a saved secret into an empty text behind the user's back.
      return mayBeSecret(kind, value.name)
        ? `Enter a value for ${what}, or tick its box to keep the saved secret.`
        : `Enter a value for ${what}: it changes what runs, so the saved secret cannot stand there.`;
    }
  }
  return null;
}

/** The values that the texts of a form ask for as they stand now, with what was typed for them (S6). */
export function askedInputs(edit: ServerEdit): EditedValue[] {
  const plain = (values: readonly EditedValue[]) => values.flatMap(({ text, secret }) => (secret ? [] : [text]));
  const texts =
    edit.kind === 'http'
      ? [edit.endpoint, ...plain(edit.headers)]
      : [edit.command, edit.cwd, ...plain(edit.args), ...plain(edit.env)];
  return inputKeysIn(texts).map(
    (key) => edit.inputs.find(({ name }) => name === key) ?? { ...EMPTY_VALUE, name: key, secret: true },
  );
}

/** The draft a form stands for, or one sentence on what keeps it from being one. */
export function toDraft(edit: ServerEdit, taken: readonly string[]): Result<ServerDraft, string> {
  if (edit.name.trim() === '') return failed('Give the server a name.');
  const namespace = namespaceOf(edit, taken);
  const advice = adviseNamespace(namespace, taken);
  if (advice !== null) return failed(advice);
  const named = edit.kind === 'http' ? edit.headers : edit.env;
  const nameless = named.find(({ name, text }) => name.trim() === '' && text !== '');
  const what = edit.kind === 'http' ? 'header' : 'variable';
  if (nameless) return failed(`Give every ${what} a name, or remove the row.`);
  const rows = named.filter(({ name }) => name.trim() !== '');
  const asked = askedInputs(edit);
  const missing =
    adviseSecrets(edit.kind, edit.kind === 'stdio' ? [...rows, ...edit.args] : rows) ?? adviseSecrets('http', asked);
  if (missing !== null) return failed(missing);
  const values = rows.map((value) => ({
    name: value.name.trim(),
    value: edit.kind === 'http' ? toValue('http', value) : toVariable(value),
  }));
  const inputs = asked.length > 0 && { inputs: asked.map((value) => ({ key: value.name, value: toValue('http', value) })) };
  const parsed = ServerDraftSchema.safeParse({
    name: edit.name,
    namespace,
    ...(edit.kind === 'http' && edit.wire && { wire: edit.wire }),
    connection:
      edit.kind === 'http'
        ? { kind: 'http', endpoint: edit.endpoint.trim(), headers: values, ...inputs }
        : {
            kind: 'stdio',
            command: edit.command.trim(),
            args: edit.args.map((value) => toValue('stdio', value)),
            ...(edit.cwd.trim() !== '' && { cwd: edit.cwd.trim() }),
            env: values,
            ...inputs,
          },
  });
  if (!parsed.success) return failed(shapeSentence(parsed.error.issues[0]?.path ?? [], what));
  const checked = checkConnection(parsed.data.connection);
  return checked.ok ? ok({ ...parsed.data, connection: checked.value }) : checked;
}

function shapeSentence(path: readonly PropertyKey[], what: string): string {
  if (path.includes('command')) return 'Enter the command that starts the server.';
  if (path.includes('name') && path.length > 1) return `Use a ${what} name without blanks and without =.`;
  return 'Something here is longer than this app takes. Shorten it.';
}

// A secret where none stood gets a reference that nothing was ever consented to with.
const TYPED_ANEW = SecretRefSchema.parse('secret-typed-anew');

/** Whether saving would change what was consented to, which turns the server off (S3). The value of a secret does not (T2). */
export function changesConsent(before: Connection, after: ServerDraft['connection']): boolean {
  return connectionForm(before) !== connectionForm(toStoredConnection(after, before, (_value, over) => over ?? TYPED_ANEW));
}
