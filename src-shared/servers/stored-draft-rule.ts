import type { Connection, DraftValue, DraftVariable, SecretRef, ServerDraft, StoredValue, StoredVariable } from './server.schema';

type DraftConnection = ServerDraft['connection'];

/**
 * What is to stand in the store for a draft. A secret typed anew in the place of a saved one (the same name, or the same
 * place among the arguments) is saved over it: the reference stays, so nothing that was consented to changed (T2, S3).
 */
export function toStoredConnection(
  draft: DraftConnection,
  before: Connection | null,
  save: (value: string, over: SecretRef | null) => SecretRef,
): Connection {
  const held = before ? refsIn(before) : [];
  const kept = refsIn(draft);
  const saved = (value: string, was: StoredVariable | undefined): StoredValue => {
    // A reference that stands for a second value as well must not change under it.
    const alone = was?.kind === 'secret' && !kept.includes(was.ref) && held.filter((ref) => ref === was.ref).length === 1;
    return { kind: 'secret', ref: save(value, alone ? was.ref : null) };
  };
  const stored = (value: DraftValue, was: StoredVariable | undefined): StoredValue =>
    value.kind === 'new-secret' ? saved(value.value, was) : value;
  const variable = (value: DraftVariable, was: StoredVariable | undefined): StoredVariable =>
    value.kind === 'inherit' ? value : stored(value, was);

  const inputs = draft.inputs && {
    inputs: draft.inputs.map(({ key, value }) => ({
      key,
      value: stored(value, before?.inputs?.find((input) => input.key === key)?.value),
    })),
  };
  const { inputs: _stored, ...rest } = draft;
  if (rest.kind === 'http') {
    const were = before?.kind === 'http' ? before.headers : [];
    const headers = rest.headers.map(({ name, value }) => ({ name, value: stored(value, valueUnder(name, were)) }));
    return { ...rest, headers, ...inputs };
  }
  const was = before?.kind === 'stdio' ? before : null;
  return {
    ...rest,
    args: rest.args.map((value, at) => stored(value, was?.args[at])),
    env: rest.env.map(({ name, value }) => ({ name, value: variable(value, valueUnder(name, was?.env ?? [])) })),
    ...inputs,
  };
}

const valueUnder = <V>(name: string, rows: readonly { name: string; value: V }[]): V | undefined =>
  rows.find((row) => row.name === name)?.value;

/** The saved secrets that are referred to, in order, one referred to twice stands there twice. */
export function refsIn(connection: DraftConnection): SecretRef[] {
  const values: DraftVariable[] =
    connection.kind === 'http'
      ? connection.headers.map(({ value }) => value)
      : [...connection.args, ...connection.env.map(({ value }) => value)];
  const inputs = connection.inputs?.map(({ value }) => value) ?? [];
  return [...values, ...inputs].flatMap((value) => (value.kind === 'secret' ? [value.ref] : []));
}
