// The rest of the world, as seen from the private network: a name server that knows every name, and hosts that take every connection.
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** What every name resolves to; the private network routes it back to here. */
const EVERYWHERE = [93, 184, 215, 14];
const TCP_PORTS = [80, 443, 853, 3478, 8080];
const UDP_PORTS = [443, 3478];
const KINDS = { 1: 'A', 12: 'PTR', 28: 'AAAA', 33: 'SRV', 65: 'HTTPS' };

const tell = (what) => process.stdout.write(`${JSON.stringify({ at: Date.now() / 1000, ...what })}\n`);

function readName(packet, from) {
  const labels = [];
  let at = from;
  while (packet[at] !== 0) {
    labels.push(packet.toString('latin1', at + 1, at + 1 + packet[at]));
    at += packet[at] + 1;
  }
  return { name: labels.join('.'), end: at + 1 };
}

/** RFC 1035, section 4: the question back, and for a question about an IPv4 address one answer. */
function answerTo(packet) {
  const { name, end } = readName(packet, 12);
  const kind = packet.readUInt16BE(end);
  tell({ kind: 'lookup', name, type: KINDS[kind] ?? String(kind) });
  const question = packet.subarray(12, end + 4);
  const answers = kind === 1 ? 1 : 0;
  const head = Buffer.concat([packet.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, answers, 0, 0, 0, 0])]);
  const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 5, 0, 4, ...EVERYWHERE]);
  return Buffer.concat(answers === 1 ? [head, question, record] : [head, question]);
}

/** The host a TLS ClientHello names (RFC 6066, section 3), or null. */
function serverNameIn(hello) {
  try {
    let at = 43;
    at += 1 + hello[at];
    at += 2 + hello.readUInt16BE(at);
    at += 1 + hello[at];
    const end = at + 2 + hello.readUInt16BE(at);
    at += 2;
    while (at < end) {
      const length = hello.readUInt16BE(at + 2);
      if (hello.readUInt16BE(at) === 0) return hello.toString('latin1', at + 9, at + 4 + length);
      at += 4 + length;
    }
    return null;
  } catch {
    return null;
  }
}

function take(socket, port) {
  socket.on('error', () => undefined);
  socket.once('data', (first) => {
    const host = first[0] === 0x16 ? serverNameIn(first) : (/^host: *(\S+)/im.exec(first.toString('latin1'))?.[1] ?? null);
    tell({ kind: 'connection', address: socket.localAddress, port, host });
    const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nAccess-Control-Allow-Origin: *\r\nConnection: close\r\n\r\nok';
    if (first[0] === 0x16) socket.destroy();
    else socket.end(ok);
  });
}

const listening = [];
const names = createSocket('udp4');
names.on('message', (packet, from) => names.send(answerTo(packet), from.port, from.address));
listening.push(new Promise((done) => names.bind(53, '0.0.0.0', done)));
for (const port of TCP_PORTS) {
  const server = createServer((socket) => take(socket, port));
  listening.push(new Promise((done) => server.listen(port, '0.0.0.0', done)));
}
for (const port of UDP_PORTS) {
  const socket = createSocket('udp4');
  socket.on('message', (packet, from) => tell({ kind: 'datagram', port, bytes: packet.length, from: from.address }));
  listening.push(new Promise((done) => socket.bind(port, '0.0.0.0', done)));
}
await Promise.all(listening);
tell({ kind: 'ready' });
