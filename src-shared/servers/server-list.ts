import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import { decodeServer, secretRefsOf } from './server-decoder';
import { type ServerConfig, ServerIdSchema, ServerSourceSchema } from './server.schema';
import type { StoredServer } from './server-rows';

/** One entry of the file beside what it means. */
export interface ListedServer {
  readonly raw: unknown;
  readonly stored: StoredServer;
  /** The entry by itself, also where the company it keeps is what it is refused for. */
  readonly alone: ServerConfig | null;
}

/** Reads every entry, then judges them together: ids, short names and saved secrets have one owner each (S11). */
export function listServers(raws: readonly unknown[]): ListedServer[] {
  const decoded = raws.map((raw) => ({ raw, result: decodeServer(raw) }));
  const idCount = countBy(decoded.map(({ result }) => (result.ok ? result.value.id : result.problem.id)));
  const madeUp = madeUpIds();
  const alone = decoded.flatMap(({ result }) => (result.ok && idCount.get(result.value.id) === 1 ? [result.value] : []));

  return decoded.map(({ raw, result }): ListedServer => {
    const id = result.ok ? result.value.id : result.problem.id;
    const refuse = (reason: string): StoredServer => {
      const ownId = id !== null && idCount.get(id) === 1 ? id : madeUp(raw);
      const name = result.ok ? result.value.name : result.problem.name;
      return { kind: 'refused', id: ownId, name, reason, ...originOf(raw) };
    };
    if (id !== null && idCount.get(id) !== 1) {
      return {
        raw,
        alone: null,
        stored: refuse('Two entries carry the same id. Remove one of them, then add that server again in Settings.'),
      };
    }
    if (!result.ok) return { raw, alone: null, stored: refuse(result.problem.reason) };
    const clash = clashOf(result.value, alone);
    return { raw, alone: result.value, stored: clash === null ? { kind: 'ok', config: result.value } : refuse(clash) };
  });
}

function clashOf(server: ServerConfig, all: readonly ServerConfig[]): string | null {
  const others = all.filter((other) => other.id !== server.id);
  const named = others.find((other) => other.namespace !== null && other.namespace === server.namespace);
  if (named) return `“${server.namespace}” is also the short name of “${named.name}”. Give one of the two another short name.`;
  const refs = secretRefsOf(server.connection);
  const sharing = others.find((other) => secretRefsOf(other.connection).some((ref) => refs.includes(ref)));
  return sharing ? `It uses a saved secret that “${sharing.name}” uses too. Enter the secret again in one of the two.` : null;
}

/** Short names in the file, also those of refused entries: nobody else is given one of them (S11). */
export function takenNamespaces(raws: readonly unknown[]): string[] {
  return raws.flatMap((raw) => {
    const namespace = typeof raw === 'object' && raw !== null && 'namespace' in raw ? raw.namespace : null;
    return typeof namespace === 'string' ? [namespace] : [];
  });
}

function originOf(raw: unknown): { source: ServerConfig['source']; addedAt: number } {
  const fields = typeof raw === 'object' && raw !== null ? raw : {};
  const source = ServerSourceSchema.safeParse('source' in fields ? fields.source : null);
  const addedAt = 'addedAt' in fields && typeof fields.addedAt === 'number' ? fields.addedAt : 0;
  return { source: source.success ? source.data : { kind: 'you' }, addedAt };
}

/** An id to list and remove an entry by that has none of its own. It follows from the content, so it stays while the entry does. */
function madeUpIds(): (raw: unknown) => ServerConfig['id'] {
  const seen = new Map<string, number>();
  return (raw) => {
    const digest = bytesToHex(sha256(utf8ToBytes(JSON.stringify(raw)))).slice(0, 16);
    const nth = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, nth);
    return ServerIdSchema.parse(`unlisted-${digest}-${nth}`);
  };
}

function countBy(ids: readonly (string | null)[]): Map<string | null, number> {
  const counts = new Map<string | null, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}
