import { join } from 'node:path';
import { z } from 'zod';
import {
  SignInClientSchema,
  SignInRecordSchema,
  type SignInClient,
  type SignInClientDraft,
  type SignInRecord,
} from '../../src-shared/oauth/sign-in.schema';
import { SecretRefSchema, ServerIdSchema, type SecretRef, type ServerId } from '../../src-shared/servers/server.schema';
import type { SecretVault } from '../secrets/secret-vault';
import { openJsonDocument, type JsonDocument } from '../storage/json-document';

const RefsSchema = z.record(z.string(), SecretRefSchema);
export const SignInsFileSchema = z.object({ version: z.literal(1), tokens: RefsSchema, clients: RefsSchema });
export type SignInsFile = z.infer<typeof SignInsFileSchema>;
export const EMPTY_SIGN_INS_FILE: SignInsFile = { version: 1, tokens: {}, clients: {} };

export const openSignInsFile = (folder: string): JsonDocument<SignInsFile> =>
  openJsonDocument({ file: join(folder, 'sign-ins.json'), schema: SignInsFileSchema, empty: EMPTY_SIGN_INS_FILE });

/** Names its server, so that a record put under another server does not hold. */
const KeptClientSchema = z.object({ serverId: ServerIdSchema, client: SignInClientSchema });

export interface KeptTokens {
  record: SignInRecord;
  access: string;
  refresh: string | null;
  /** The private key they are bound to (RFC 9449). */
  key: string | null;
}

export interface NewTokens {
  access: string;
  refresh: string | null;
  renewAt: number | null;
  scope: string;
}

type Binding = Omit<SignInRecord, 'accessRef' | 'refreshRef' | 'keyRef' | 'clientSecretRef' | 'renewAt' | 'scope'>;

/**
 * Tokens and client ids, each under its server's id. The file holds references alone: what they stand for,
 * the binding to address, resource, issuer and client included, is encrypted in the vault (K3, S5).
 */
export class SignInStore {
  readonly #document: JsonDocument<SignInsFile>;
  readonly #vault: SecretVault;

  constructor(parts: { document: JsonDocument<SignInsFile>; vault: SecretVault }) {
    this.#document = parts.document;
    this.#vault = parts.vault;
  }

  /** The tokens of this server at this very address; null when there are none. */
  tokensOf(id: ServerId, endpoint: string): KeptTokens | null {
    const record = this.recordOf(id);
    if (record?.endpoint !== endpoint) return null;
    const access = this.#vault.read(record.accessRef);
    const key = record.keyRef === null ? null : this.#vault.read(record.keyRef);
    // Without their key they are no use, and must not be sent as if they needed none.
    if (!access.ok || key?.ok === false) return null;
    const refresh = record.refreshRef === null ? null : this.#vault.read(record.refreshRef);
    return { record, access: access.value, refresh: refresh?.ok ? refresh.value : null, key: key?.value ?? null };
  }

  recordOf(id: ServerId): SignInRecord | null {
    const record = this.#open('tokens', id, SignInRecordSchema);
    return record?.serverId === id ? record : null;
  }

  secretOf(ref: SecretRef | null): string | undefined {
    const secret = ref === null ? null : this.#vault.read(ref);
    return secret?.ok ? secret.value : undefined;
  }

  /** Keeps the tokens of a sign-in, and the key they are bound to, in place of what was kept before. Throws where the vault cannot be written. */
  keep(binding: Binding, tokens: NewTokens, clientSecret: string | null, key: string | null): void {
    this.forgetTokens(binding.serverId);
    const save = (value: string | null): SecretRef | null => (value === null ? null : this.#vault.save(value));
    const record: SignInRecord = {
      ...binding,
      accessRef: this.#vault.save(tokens.access),
      refreshRef: save(tokens.refresh),
      keyRef: save(key),
      clientSecretRef: save(clientSecret),
      renewAt: tokens.renewAt,
      scope: tokens.scope,
    };
    this.#point('tokens', binding.serverId, this.#vault.save(JSON.stringify(record)));
  }

  /** Puts renewed tokens in the place of the old ones. */
  renew(record: SignInRecord, tokens: NewTokens): void {
    const at = this.#document.read();
    const ref = at.ok ? at.value.tokens[record.serverId] : undefined;
    if (ref === undefined) return;
    this.#vault.replace(record.accessRef, tokens.access);
    let { refreshRef } = record;
    if (tokens.refresh !== null && refreshRef !== null) this.#vault.replace(refreshRef, tokens.refresh);
    else if (tokens.refresh !== null) refreshRef = this.#vault.save(tokens.refresh);
    const { renewAt, scope } = tokens;
    this.#vault.replace(ref, JSON.stringify({ ...record, refreshRef, renewAt, scope } satisfies SignInRecord));
  }

  forgetTokens(id: ServerId): void {
    const record = this.recordOf(id);
    for (const ref of [record?.accessRef, record?.refreshRef, record?.keyRef, record?.clientSecretRef])
      if (ref) this.#vault.remove(ref);
    this.#drop('tokens', id);
  }

  clientOf(id: ServerId): SignInClient {
    const kept = this.#open('clients', id, KeptClientSchema);
    return kept?.serverId === id ? kept.client : { kind: 'register' };
  }

  /** Another client id or secret ends what was signed in to with the one before. */
  setClient(id: ServerId, draft: SignInClientDraft): void {
    this.forgetClient(id);
    this.forgetTokens(id);
    if (draft.kind === 'register') return;
    this.#point('clients', id, this.#vault.save(JSON.stringify({ serverId: id, client: this.#kept(draft) })));
  }

  #kept(draft: SignInClientDraft): SignInClient {
    switch (draft.kind) {
      case 'register':
      case 'document':
        return draft;
      case 'entered': {
        const { kind, clientId, callback, secret } = draft;
        return { kind, clientId, callback, secretRef: secret === undefined ? null : this.#vault.save(secret) };
      }
      case 'itself': {
        const { kind, clientId, proof, secret } = draft;
        return { kind, clientId, proof, secretRef: this.#vault.save(secret) };
      }
    }
  }

  forgetClient(id: ServerId): void {
    const client = this.clientOf(id);
    if ('secretRef' in client && client.secretRef) this.#vault.remove(client.secretRef);
    this.#drop('clients', id);
  }

  /** Every server with tokens. */
  signedIn(): ServerId[] {
    const file = this.#document.read();
    return file.ok ? Object.keys(file.value.tokens).flatMap((id) => ServerIdSchema.safeParse(id).data ?? []) : [];
  }

  #open<S extends z.ZodType>(part: 'tokens' | 'clients', id: ServerId, schema: S): z.output<S> | null {
    const file = this.#document.read();
    const ref = file.ok && Object.hasOwn(file.value[part], id) ? file.value[part][id] : undefined;
    const kept = ref === undefined ? null : this.#vault.read(ref);
    if (!kept?.ok) return null;
    try {
      return schema.safeParse(JSON.parse(kept.value)).data ?? null;
    } catch {
      return null;
    }
  }

  #point(part: 'tokens' | 'clients', id: ServerId, ref: SecretRef): void {
    const written = this.#document.update((file) => ({ ...file, [part]: { ...file[part], [id]: ref } }));
    if (!written.ok) throw new Error(written.problem.message);
  }

  #drop(part: 'tokens' | 'clients', id: ServerId): void {
    const file = this.#document.read();
    const ref = file.ok && Object.hasOwn(file.value[part], id) ? file.value[part][id] : undefined;
    if (ref === undefined) return;
    // A reference that stands for something else is not ours to remove.
    if (this.#open(part, id, z.looseObject({ serverId: z.literal(id) }))) this.#vault.remove(ref);
    this.#document.update((current) => ({
      ...current,
      [part]: Object.fromEntries(Object.entries(current[part]).filter(([other]) => other !== id)),
    }));
  }
}
