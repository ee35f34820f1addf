import { createPrivateKey, randomUUID, sign, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { isBound } from '../../src-shared/oauth/proof-rule';
import type { FetchLike } from '../egress/door-fetch';
import type { ProofSession } from './proof-key';
import { SignInProblem, UNUSED_KIND } from './sign-in-problem';

type Tokens = import('@modelcontextprotocol/client').OAuthTokens;

const ASSERTION_SECONDS = 300;
const ASSERTION_TYPE = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer';

export interface OwnGrant {
  serverName: string;
  clientId: string;
  proof: 'secret' | 'key';
  /** The secret, or the private key as PEM. */
  secret: string;
  issuer: string;
  tokenEndpoint: string;
  authMethods: readonly string[];
  scope: string | null;
  resource: string | null;
  now: number;
  /** Signs the request, so that its host can bind the tokens to a key (RFC 9449). */
  session: ProofSession | null;
  mustBind: boolean;
}

/** A renewal takes the same grant again, so a refresh token is not read (RFC 6749 4.4.3). */
const TokensSchema = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.coerce.number().optional().catch(undefined),
  scope: z.string().optional().catch(undefined),
});

/** Asks the host for tokens of the app itself, with no person and no browser (RFC 6749 4.4). Throws OAuthError or SignInProblem. */
export async function askForOwnTokens(grant: OwnGrant, fetch: FetchLike): Promise<Tokens & { isBound: boolean }> {
  const { tokenEndpoint, session, mustBind, serverName: name } = grant;
  const ask = async (): Promise<Response> => {
    const { headers, body } = requestFor(grant);
    if (session) headers['dpop'] = await session.buildProof({ htm: 'POST', htu: tokenEndpoint });
    const answer = await fetch(tokenEndpoint, { method: 'POST', headers, body: body.toString() });
    session?.observeNonce(answer, tokenEndpoint);
    return answer;
  };
  const first = await ask();
  const answer = session && (await asksForNonce(first)) ? await ask() : first;
  if (!answer.ok) {
    const { parseErrorResponse } = await import('@modelcontextprotocol/client');
    throw await parseErrorResponse(answer);
  }
  const read = TokensSchema.safeParse(await answer.json().catch(() => null));
  if (!read.success) throw new SignInProblem(`The sign-in host of ${name} answered with no token that this app could read.`);
  const bound = isBound(read.data.token_type, { withProof: session !== null, mustBind });
  if (!bound.ok) throw new SignInProblem(UNUSED_KIND(name));
  return { ...read.data, isBound: bound.value };
}

/** RFC 9449 8: the first answer of a host that wants its own word in every proof. */
async function asksForNonce(answer: Response): Promise<boolean> {
  if (answer.status !== 400 || !answer.headers.has('dpop-nonce')) return false;
  const said: unknown = await answer
    .clone()
    .json()
    .catch(() => null);
  return (said as { error?: unknown } | null)?.error === 'use_dpop_nonce';
}

function requestFor(grant: OwnGrant): { headers: Record<string, string>; body: URLSearchParams } {
  const { clientId, secret, scope, resource } = grant;
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  const headers: Record<string, string> = {
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  if (scope !== null && scope !== '') body.set('scope', scope);
  if (resource !== null) body.set('resource', resource);
  if (grant.proof === 'key') {
    body.set('client_assertion_type', ASSERTION_TYPE);
    body.set('client_assertion', clientAssertion(grant));
  } else if (grant.authMethods.includes('client_secret_post') && !grant.authMethods.includes('client_secret_basic')) {
    body.set('client_id', clientId);
    body.set('client_secret', secret);
  } else {
    const pair = `${formEncoded(clientId)}:${formEncoded(secret)}`;
    headers['authorization'] = `Basic ${Buffer.from(pair).toString('base64')}`;
  }
  return { headers, body };
}

/** What a private key signs with; null for a text that is no key, or a kind that is not used here. */
export function signingAlgorithmOf(pem: string): 'RS256' | 'ES256' | null {
  const key = readKey(pem);
  if (key?.asymmetricKeyType === 'rsa') return 'RS256';
  return key?.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'ES256' : null;
}

function readKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem);
  } catch {
    return null;
  }
}

/** Proves the client id with the key, to this one host and once (RFC 7523 2.2 and 3). */
function clientAssertion({ clientId, secret, issuer, now, serverName }: OwnGrant): string {
  const alg = signingAlgorithmOf(secret);
  if (alg === null) throw new SignInProblem(`The private key entered for ${serverName} cannot be read.`, 'needs-client');
  const iat = Math.floor(now / 1000);
  const claims = { iss: clientId, sub: clientId, aud: issuer, iat, exp: iat + ASSERTION_SECONDS, jti: randomUUID() };
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const signed = `${part({ alg, typ: 'JWT' })}.${part(claims)}`;
  const signature = sign('sha256', Buffer.from(signed), { key: secret, dsaEncoding: 'ieee-p1363' });
  return `${signed}.${signature.toString('base64url')}`;
}

/** RFC 6749 2.3.1: both halves are form-encoded before they are joined. */
const formEncoded = (text: string): string => new URLSearchParams({ x: text }).toString().slice(2);
