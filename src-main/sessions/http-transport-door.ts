import type { TransportSendOptions } from '@modelcontextprotocol/client';
import type { RouteId } from '../../src-shared/egress/egress.schema';
import type { ByteSource } from './bounded-stream';

/** How an address is spoken to: Streamable HTTP, or the HTTP+SSE of MCP 2024-11-05. */
export type HttpWay = 'streamable-http' | 'sse';

/** One answer as the door hands it out. */
export interface HttpAnswer extends ByteSource {
  status: number;
  bytesOut(): number;
  bytesIn(): number;
  address: string | null;
}

export interface HttpAsk {
  method: 'POST' | 'GET' | 'DELETE';
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  conversation?: string;
  /** Lets the deadline behind it stand still while a person is asked; what it returns lets it run on (W3). */
  pause?: (() => () => void) | undefined;
}

/** The part of the network door a transport needs. */
export interface HttpDoor {
  request(routeId: RouteId, url: string, ask: HttpAsk): Promise<HttpAnswer>;
  /** One more path of the route's own origin, which its server named for messages; until the route is closed. */
  allowPath(routeId: RouteId, path: string): void;
}

/** Who stands behind the Authorization header of one server (K3). */
export interface HttpAccess {
  /** Headers for this one request; without any the server's own settings stay as they are. */
  authorize(request: { method: string; url: string }): Promise<{ authorization?: string; dpop?: string }>;
  /** The answer to a request that carried a proof. True when asking once more is worth it (RFC 9449 8 and 9). */
  noteNonce(answer: { url: string; status: number; header: string | undefined; nonce: string | undefined }): Promise<boolean>;
  /** A 401 or 403. True when asking once more is worth it. */
  onUnauthorized(refusal: {
    status: number;
    header: string | undefined;
    sent: string | null;
    mayStepUp: boolean;
    signal?: AbortSignal | undefined;
  }): Promise<boolean>;
}

/** What one exchange moved, told once when it is over. */
export interface Traffic {
  bytesOut: number;
  bytesIn: number;
  address: string | null;
}

export interface SendOptions extends TransportSendOptions {
  /** Ends this exchange and its socket, in either era. */
  signal?: AbortSignal | undefined;
  conversation?: string | undefined;
  pause?: HttpAsk['pause'];
  onTraffic?: ((traffic: Traffic) => void) | undefined;
  /** The message as it is to leave, where parsing and writing it anew would change it (A5, O6). */
  text?: string | undefined;
}
