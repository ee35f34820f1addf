import type { ByteSource } from './bounded-stream';
import type { HttpAccess, HttpAnswer, HttpAsk, HttpDoor } from './http-transport-door';

/**
 * A door that sends the server's own token along, to its own origin and nowhere else (K3, E5).
 * A refusal is told once, and asked again at most once.
 */
export function doorWithAccess(door: HttpDoor, access: HttpAccess, endpoint: string): HttpDoor {
  const { origin } = new URL(endpoint);
  return {
    allowPath: (routeId, path) => door.allowPath(routeId, path),
    async request(routeId, url, ask): Promise<HttpAnswer> {
      if (new URL(url).origin !== origin) return door.request(routeId, url, ask);
      const sent = await access.authorize();
      const answer = await door.request(routeId, url, withToken(ask, sent));
      if (answer.status !== 401 && answer.status !== 403) return answer;
      const resume = answer.status === 403 ? ask.pause?.() : undefined;
      const refusal = {
        status: answer.status,
        header: challengesOf(answer.headers),
        sent,
        mayStepUp: ask.method === 'POST',
        signal: ask.signal,
      };
      const again = await access.onUnauthorized(refusal).finally(resume);
      if (!again || ask.signal?.aborted) return answer;
      answer.destroy();
      return door.request(routeId, url, withToken(ask, await access.authorize()));
    },
  };
}

function withToken(ask: HttpAsk, token: string | null): HttpAsk {
  return token === null ? ask : { ...ask, headers: { ...ask.headers, authorization: token } };
}

/** All of them as one list, as RFC 9110 5.3 joins them. */
function challengesOf(headers: ByteSource['headers']): string | undefined {
  const key = Object.keys(headers).find((name) => name.toLowerCase() === 'www-authenticate');
  const value = key === undefined ? undefined : headers[key];
  return Array.isArray(value) ? value.join(', ') : value;
}
