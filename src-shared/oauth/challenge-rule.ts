/** What a server says beside a 401 or 403. All of it is the server's word. */
export interface Challenge {
  resourceMetadata: string | null;
  scope: string | null;
  error: string | null;
}

const MAX_HEADER = 8192;
const SCHEME = /(?:^|,)\s*(bearer|dpop)(?=\s|,|$)/i;
/** One parameter of RFC 9110 11.2: a token, and a token or a quoted text. */
const PARAMETER = /(?:^|[\s,])([\w-]{1,64})\s*=\s*(?:"((?:[^"\\]|\\.){0,4096})"|([^\s,"]{1,4096}))/g;

/** Reads the Bearer challenge of a WWW-Authenticate header; a header without one, or none, says nothing (RFC 6750 3). */
export function readChallenge(header: string | undefined): Challenge {
  const nothing: Challenge = { resourceMetadata: null, scope: null, error: null };
  const text = (header ?? '').slice(0, MAX_HEADER);
  const scheme = SCHEME.exec(text);
  if (!scheme) return nothing;
  const found = new Map<string, string>();
  for (const [, name = '', quoted, plain] of text.slice(scheme.index + scheme[0].length).matchAll(PARAMETER)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted?.replace(/\\(.)/g, '$1') ?? plain ?? '');
  }
  const named = (key: string): string | null => found.get(key) || null;
  return { resourceMetadata: named('resource_metadata'), scope: readScope(named('scope')), error: named('error') };
}

/** Whether all that was missing is a nonce in the proof (RFC 9449 9). */
export function asksForNonce(header: string | undefined): boolean {
  const text = (header ?? '').slice(0, MAX_HEADER);
  const scheme = /(?:^|,)\s*dpop\s/i.exec(text);
  return scheme !== null && /[\s,]error\s*=\s*"?use_dpop_nonce(?=["\s,]|$)/i.test(text.slice(scheme.index));
}

/** RFC 6749 3.3. A text with anything else in it is no scope and is not sent on. */
export function readScope(text: string | null): string | null {
  if (text === null || text.length > 2048) return null;
  return /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text) ? text : null;
}

/** Every scope of both once, in the order they came: a step up never loses what was granted before. */
export function uniteScopes(...scopes: (string | null)[]): string | null {
  const all = new Set(scopes.flatMap((scope) => scope?.split(' ') ?? []).filter((each) => each !== ''));
  return all.size === 0 ? null : [...all].join(' ');
}
