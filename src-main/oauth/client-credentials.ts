import { createPrivateKey, randomUUID, sign, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { FetchLike } from '../egress/door-fetch';
import { SignInProblem } from './sign-in-problem';

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
}

/** A renewal takes the same grant again, so a refresh token is not read (RFC 6749 4.4.3). */
const TokensSchema = z.object({
  access_token: z.string().min(1),
  token_type: z.string(),
  expires_in: z.coerce.number().optional().catch(undefined),
  scope: z.string().optional().catch(undefined),
});

/** Asks the host for tokens of the app itself, with no person and no browser (RFC 6749 4.4). Throws OAuthError or SignInProblem. */
export async function askForOwnTokens(grant: OwnGrant, fetch: FetchLike): Promise<Tokens> {
  const { clientId, secret, scope, resource, serverName: name } = grant;
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
  const answer = await fetch(grant.tokenEndpoint, { method: 'POST', headers, body: body.toString() });
  if (!answer.ok) {
    const { parseErrorResponse } = await import('@modelcontextprotocol/client');
    throw await parseErrorResponse(answer);
  }
  const read = TokensSchema.safeParse(await answer.json().catch(() => null));
  if (!read.success) throw new SignInProblem(`The sign-in host of ${name} answered with no token that this app could read.`);
  if (read.data.token_type.toLowerCase() !== 'bearer')
    throw new SignInProblem(`The sign-in host of ${name} gave a kind of token that this app does not use.`);
  return read.data;
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
