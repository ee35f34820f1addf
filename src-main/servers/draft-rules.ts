import { failed, ok, type Result } from '../../src-shared/base/result';
import { checkNamespace, NAMESPACE_ADVICE, sameNamespace, suggestNamespace } from '../../src-shared/servers/namespace-rule';
import { checkConnection } from '../../src-shared/servers/server-decoder';
import { type ServerDraft, ServerDraftSchema } from '../../src-shared/servers/server.schema';

/** The rules for what is sent to the store, whoever sends it (S2). */
export function checkDraft(draft: ServerDraft): Result<ServerDraft, string> {
  const parsed = ServerDraftSchema.safeParse(draft);
  if (!parsed.success) {
    const field = parsed.error.issues[0]?.path.findLast((part) => typeof part === 'string') ?? 'name';
    return failed(`Check the ${field} of this server: it is empty, too long, or holds characters that cannot stand there.`);
  }
  const connection = checkConnection(parsed.data.connection);
  return connection.ok ? ok({ ...parsed.data, connection: connection.value }) : connection;
}

/** A short name that is legal and that nobody has (N1, S11). */
export function freeNamespace(namespace: string, taken: readonly string[]): Result<string, string> {
  const legal = checkNamespace(namespace);
  if (!legal.ok) return failed(NAMESPACE_ADVICE[legal.problem]);
  if (!taken.some((other) => sameNamespace(other, namespace))) return legal;
  return failed(
    `“${namespace}” is the short name of another server. Choose a different one, such as ${suggestNamespace(namespace, taken)}.`,
  );
}
