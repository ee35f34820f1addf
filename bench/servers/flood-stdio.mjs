// Answers a call with a line of as many bytes as its first argument says. How many the pipe took stands in the file of its second.
import { openSync, writeSync } from 'node:fs';
import { answerBesideCalls, headOf, readLines, TAIL } from './mcp-answers.mjs';

const [bytes, counterFile] = process.argv.slice(2);
const counter = openSync(counterFile, 'w');
const PIECE = Buffer.alloc(64 * 1024, 'a');

readLines((message) => {
  if (message.method === 'tools/call') return flood(message.id);
  const answer = answerBesideCalls(message);
  if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
});

async function flood(id) {
  process.stdout.write(headOf(id));
  for (let sent = 0; sent < Number(bytes); sent += PIECE.length) {
    if (!process.stdout.write(PIECE)) await new Promise((resolve) => process.stdout.once('drain', resolve));
    writeSync(counter, String(sent + PIECE.length).padEnd(16), 0);
  }
  process.stdout.write(`${TAIL}\n`);
}
process.stdout.on('error', () => process.exit());
