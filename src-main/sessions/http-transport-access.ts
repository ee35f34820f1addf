import type { ByteSource } from './bounded-stream';
import type { HttpAccess, HttpAnswer, HttpAsk, HttpDoor } from './http-transport-door';

/**
 * A door that sends the server's own token along, to its own origin and nowhere else (K3, E5).
 * A refusal is told once, and asked again at most once; so is a proof without the server's nonce.
 */
export function doorWithAccess(door: HttpDoor, access: HttpAccess, endpoint: string): HttpDoor {
  const { origin } = new URL(endpoint);

  async function sendOnce(routeId: AskParts[0], url: string, ask: HttpAsk): Promise<Sent> {
    const own = await access.authorize({ method: ask.method, url });
    const answer = await door.request(routeId, url, { ...ask, headers: { ...ask.headers, ...own } });
    const header = fieldOf(answer.headers, 'www-authenticate');
    const nonce = fieldOf(answer.headers, 'dpop-nonce');
    const { status } = answer;
    const lacksNonce = own.dpop !== undefined && (await access.noteNonce({ url, status, header, nonce }));
    return { answer, sent: own.authorization ?? null, header, lacksNonce };
  }

  /** Each time with a proof of its own. */
  async function send(...[routeId, url, ask]: AskParts): Promise<Sent> {
    const first = await sendOnce(routeId, url, ask);
    if (!first.lacksNonce || ask.signal?.aborted) return first;
    first.answer.destroy();
    return sendOnce(routeId, url, ask);
  }

  return {
    allowPath: (routeId, path) => door.allowPath(routeId, path),
    async request(routeId, url, ask): Promise<HttpAnswer> {
      if (new URL(url).origin !== origin) return door.request(routeId, url, ask);
      const { answer, sent, header } = await send(routeId, url, ask);
      if (answer.status !== 401 && answer.status !== 403) return answer;
      const resume = answer.status === 403 ? ask.pause?.() : undefined;
      const refusal = { status: answer.status, header, sent, mayStepUp: ask.method === 'POST', signal: ask.signal };
      const again = await access.onUnauthorized(refusal).finally(resume);
      if (!again || ask.signal?.aborted) return answer;
      answer.destroy();
      return (await send(routeId, url, ask)).answer;
    },
  };
}

type AskParts = Parameters<HttpDoor['request']>;

interface Sent {
  answer: HttpAnswer;
  sent: string | null;
  /** The WWW-Authenticate header. */
  header: string | undefined;
  lacksNonce: boolean;
}

/** All values of a field as one list, as RFC 9110 5.3 joins them. */
function fieldOf(headers: ByteSource['headers'], field: string): string | undefined {
  const key = Object.keys(headers).find((name) => name.toLowerCase() === field);
  const value = key === undefined ? undefined : headers[key];
  return Array.isArray(value) ? value.join(', ') : value;
}
