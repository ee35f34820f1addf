import type { Connection, DraftValue, SecretRef, ServerDraft, StoredValue } from './server.schema';

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
  const stored = (value: DraftValue, was: StoredValue | undefined): StoredValue => {
    if (value.kind !== 'new-secret') return value;
    // A reference that stands for a second value as well must not change under it.
    const alone = was?.kind === 'secret' && !kept.includes(was.ref) && held.filter((ref) => ref === was.ref).length === 1;
    return { kind: 'secret', ref: save(value.value, alone ? was.ref : null) };
  };
  const named = (rows: readonly { name: string; value: DraftValue }[], were: readonly { name: string; value: StoredValue }[]) =>
    rows.map(({ name, value }) => ({ name, value: stored(value, were.find((row) => row.name === name)?.value) }));

  if (draft.kind === 'http') return { ...draft, headers: named(draft.headers, before?.kind === 'http' ? before.headers : []) };
  const was = before?.kind === 'stdio' ? before : null;
  return {
    ...draft,
    args: draft.args.map((value, at) => stored(value, was?.args[at])),
    env: named(draft.env, was?.env ?? []),
  };
}

/** The saved secrets that are referred to, in order, one referred to twice stands there twice. */
export function refsIn(connection: DraftConnection): SecretRef[] {
  const values: DraftValue[] =
    connection.kind === 'http'
      ? connection.headers.map(({ value }) => value)
      : [...connection.args, ...connection.env.map(({ value }) => value)];
  return values.flatMap((value) => (value.kind === 'secret' ? [value.ref] : []));
}
