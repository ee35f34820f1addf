// Answers a call with as many bytes as its argument says, as they are or packed with gzip.
import { createReadStream, createWriteStream, existsSync, renameSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { answerBesideCalls, answerJson, headOf, onPost, TAIL } from './mcp-answers.mjs';

const [folder, ...packedSizes] = process.argv.slice(2);
const PIECE = Buffer.alloc(64 * 1024, 'a');
let sent = 0;

for (const size of packedSizes) await pack(Number(size));

const server = createServer(
  onPost((message, response) => {
    if (message.method !== 'tools/call') return answerJson(response, answerBesideCalls(message));
    const { bytes, packed } = message.params.arguments;
    const { socket } = response;
    const before = socket.bytesWritten;
    response.once('close', () => (sent += socket.bytesWritten - before));
    response.writeHead(200, { 'content-type': 'application/json', ...(packed ? { 'content-encoding': 'gzip' } : {}) });
    const body = packed ? packedBody(message.id, bytes) : plainBody(message.id, bytes);
    pipeline(Readable.from(body), response).catch(() => undefined);
  }),
);
process.on('message', () => {
  process.send({ sent });
  sent = 0;
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/mcp` }));

function* plainBody(id, bytes) {
  yield headOf(id);
  for (let count = 0; count < bytes; count += PIECE.length) yield PIECE;
  yield TAIL;
}

// Gzip members one after another are one gzip file, so that only the id has to be packed for each call.
async function* packedBody(id, bytes) {
  yield gzipSync(headOf(id));
  yield* createReadStream(packedFile(bytes));
  yield gzipSync(TAIL);
}

function packedFile(bytes) {
  return join(folder, `${bytes}.gz`);
}

async function pack(bytes) {
  const file = packedFile(bytes);
  if (existsSync(file)) return;
  const pieces = function* () {
    for (let count = 0; count < bytes; count += PIECE.length) yield PIECE;
  };
  await pipeline(Readable.from(pieces()), createGzip({ level: 9 }), createWriteStream(`${file}.part`));
  renameSync(`${file}.part`, file);
}
