import { failed, type Result } from '../../src-shared/base/result';
import type { Connection, DraftValue, SecretRef, ServerDraft, StoredValue } from '../../src-shared/servers/server.schema';
import type { SecretVault } from '../secrets/secret-vault';

/** The part of the vault that a store of entries needs. */
export type SecretKeeper = Pick<SecretVault, 'save' | 'remove'>;

/**
 * Saves the new secrets of a draft, then writes the entry that refers to them.
 * Where the entry is not written, no secret stays behind.
 */
export function withSavedSecrets<T>(
  vault: SecretKeeper,
  draft: ServerDraft['connection'],
  write: (connection: Connection) => Result<T, string>,
): Result<T, string> {
  const saved: SecretRef[] = [];
  const keep = (value: DraftValue): StoredValue => {
    if (value.kind !== 'new-secret') return value;
    const ref = vault.save(value.value);
    saved.push(ref);
    return { kind: 'secret', ref };
  };
  const undo = (problem: string) => {
    for (const ref of saved) vault.remove(ref);
    return failed(problem);
  };

  let connection: Connection;
  try {
    connection = storedConnection(draft, keep);
  } catch (error) {
    return undo(error instanceof Error ? error.message : 'The secret could not be saved.');
  }
  const written = write(connection);
  return written.ok ? written : undo(written.problem);
}

function storedConnection(draft: ServerDraft['connection'], keep: (value: DraftValue) => StoredValue): Connection {
  const named = (values: readonly { name: string; value: DraftValue }[]) =>
    values.map(({ name, value }) => ({ name, value: keep(value) }));
  return draft.kind === 'http'
    ? { ...draft, headers: named(draft.headers) }
    : { ...draft, args: draft.args.map(keep), env: named(draft.env) };
}

/** The saved secrets a draft says it keeps. */
export function keptRefs(draft: ServerDraft['connection']): SecretRef[] {
  const values =
    draft.kind === 'http' ? draft.headers.map(({ value }) => value) : [...draft.args, ...draft.env.map(({ value }) => value)];
  return values.flatMap((value) => (value.kind === 'secret' ? [value.ref] : []));
}
