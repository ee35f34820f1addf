import { z } from 'zod';
import { isIssuerAsked, isResourceOf } from '../../src-shared/oauth/address-rule';
import type { FetchLike } from '../egress/door-fetch';
import { SignInProblem } from './sign-in-problem';

const AddressSchema = z.string().max(2048);
const WordsSchema = z.array(z.string().max(256)).max(256);

/** What is used of a protected resource's metadata (RFC 9728). */
const ResourceMetadataSchema = z.object({
  resource: AddressSchema,
  authorization_servers: z.array(AddressSchema).max(16).optional().catch(undefined),
  scopes_supported: WordsSchema.optional().catch(undefined),
  dpop_signing_alg_values_supported: WordsSchema.optional().catch(undefined),
  dpop_bound_access_tokens_required: z.boolean().optional().catch(undefined),
});
export type ResourceMetadata = z.infer<typeof ResourceMetadataSchema>;

/** What is used of a sign-in host's metadata (RFC 8414, OpenID Connect Discovery). */
const HostMetadataSchema = z.object({
  issuer: AddressSchema,
  authorization_endpoint: AddressSchema,
  token_endpoint: AddressSchema,
  registration_endpoint: AddressSchema.optional(),
  response_types_supported: WordsSchema.catch(['code']).default(['code']),
  code_challenge_methods_supported: WordsSchema.optional().catch(undefined),
  token_endpoint_auth_methods_supported: WordsSchema.optional().catch(undefined),
  scopes_supported: WordsSchema.optional().catch(undefined),
  client_id_metadata_document_supported: z.boolean().optional().catch(undefined),
  authorization_response_iss_parameter_supported: z.boolean().optional().catch(undefined),
  dpop_signing_alg_values_supported: WordsSchema.optional().catch(undefined),
});
export type HostMetadata = z.infer<typeof HostMetadataSchema>;

/** Where the metadata of a server is looked for, in the standard's order: as the server says, under its path, at its root. */
export function resourceMetadataPlaces(endpoint: string, named: string | null): string[] {
  const { origin, pathname } = new URL(endpoint);
  const path = pathname.replace(/\/$/, '');
  const root = `${origin}/.well-known/oauth-protected-resource`;
  return [...new Set([...(named === null ? [] : [named]), `${root}${path}`, root])];
}

/** The first document there is; null when the server has none (older era). One that names another resource is refused. */
export async function readResourceMetadata(
  fetch: FetchLike,
  places: readonly string[],
  endpoint: string,
  name: string,
): Promise<ResourceMetadata | null> {
  for (const place of places) {
    const found = await readDocument(fetch, place, ResourceMetadataSchema, name);
    if (!found) continue;
    if (isResourceOf(found.resource, endpoint)) return found;
    throw new SignInProblem(`${name} says that its sign-in is for another address than the one you entered.`, 'refused');
  }
  return null;
}

/** A sign-in host's own metadata; null when it publishes none. Its `issuer` must be the one that was asked (RFC 8414 3.3). */
export async function readHostMetadata(
  fetch: FetchLike,
  issuer: string,
  places: readonly string[],
  name: string,
): Promise<HostMetadata | null> {
  for (const place of places) {
    const found = await readDocument(fetch, place, HostMetadataSchema, name);
    if (!found) continue;
    if (!isIssuerAsked(found.issuer, issuer))
      throw new SignInProblem(`The sign-in host of ${name} calls itself by another name than ${name} does.`, 'refused');
    return found;
  }
  return null;
}

/** 4xx and what is no such document mean: look at the next place. A failing host ends the search. */
async function readDocument<S extends z.ZodType>(
  fetch: FetchLike,
  place: string,
  schema: S,
  name: string,
): Promise<z.output<S> | null> {
  const answer = await fetch(place, { headers: { accept: 'application/json' } });
  if (answer.status >= 500)
    throw new SignInProblem(`${new URL(place).host} failed while ${name} was asked how to sign in. Try again later.`);
  if (answer.status !== 200) return null;
  try {
    return schema.parse(await answer.json());
  } catch {
    return null;
  }
}
