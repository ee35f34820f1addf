import { channel } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';

/** What a socket has carried, and how much of it requests have already claimed. */
interface Count {
  socket: Socket;
  raw: Socket;
  out: number;
  in: number;
}

const counts = new WeakMap<object, Count>();

/** Tells the meters which TCP socket lies under `socket`, so that what is counted is what went over the wire. */
export function countRawBytes(socket: Socket, raw: Socket): void {
  counts.set(socket, { socket, raw, out: 0, in: 0 });
}

/** Bytes of connections that never carried a request, such as a failed handshake. */
export class UnclaimedBytes {
  out = 0;
  in = 0;

  add(socket: Socket): void {
    this.out += socket.bytesWritten;
    this.in += socket.bytesRead;
  }
}

let starting: RequestMeter | null = null;

// undici names the socket at this one place, in the same turn in which it starts the request and before it writes a byte.
channel('undici:client:sendHeaders').subscribe((message) => {
  starting?.attach((message as { socket: object }).socket);
  starting = null;
});

/** The request that undici is about to write is this one. */
export function expectSocketFor(meter: RequestMeter): void {
  starting = meter;
}

/** Counts the bytes of one request. The first request on a connection also pays for its handshake. */
export class RequestMeter {
  #count: Count | undefined;
  #address: string | null = null;
  #final: { out: number; in: number } | null = null;
  readonly #onCut: () => void;

  constructor(onCut: () => void) {
    this.#onCut = onCut;
  }

  attach(socket: object): void {
    this.#count = counts.get(socket);
    this.#address = this.#count?.raw.remoteAddress ?? null;
  }

  get address(): string | null {
    return this.#address;
  }

  /** Ends the request by destroying its socket. undici's own abort would dial the host once more, for nothing. */
  cut(reason: Error): void {
    this.#onCut();
    this.#count?.socket.destroy(reason);
  }

  bytesOut(): number {
    if (this.#final) return this.#final.out;
    return this.#count ? this.#count.raw.bytesWritten - this.#count.out : 0;
  }

  bytesIn(): number {
    if (this.#final) return this.#final.in;
    return this.#count ? this.#count.raw.bytesRead - this.#count.in : 0;
  }

  /** Ends the count. Connections run one request at a time, so what comes later belongs to the next one. */
  finish(unclaimed: UnclaimedBytes): void {
    if (this.#final) return;
    this.#final = { out: this.bytesOut(), in: this.bytesIn() };
    if (this.#count) {
      this.#count.out += this.#final.out;
      this.#count.in += this.#final.in;
    } else {
      this.#final = { out: unclaimed.out, in: unclaimed.in };
      unclaimed.out = 0;
      unclaimed.in = 0;
    }
  }
}
