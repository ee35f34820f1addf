// Answers a call over stdio in the odd way its argument names.
import { answerBesideCalls, echo, readLines } from './mcp-answers.mjs';
import { listing, NOISE, NOISE_LINES, NOTE, NOTES } from './odd-answers.mjs';

const write = async (text) => {
  if (!process.stdout.write(text)) await new Promise((resolve) => process.stdout.once('drain', resolve));
};
const answer = (message) => write(`${JSON.stringify(message)}\n`);

readLines(async (message) => {
  if (message.method === 'tools/list') return answer(listing(message.id));
  if (message.method !== 'tools/call') {
    const reply = answerBesideCalls(message);
    return reply && answer(reply);
  }
  const { way } = message.params.arguments;
  if (way === 'dribble') return void setInterval(() => process.stdout.write(' '), 1000);
  if (way === 'events') for (let sent = 0; sent < NOTES; sent += 1000) await write(`${NOTE}\n`.repeat(1000));
  if (way === 'noise') for (let sent = 0; sent < NOISE_LINES; sent += 100) await write(`${NOISE}\n`.repeat(100));
  return answer(echo(message));
});
process.stdout.on('error', () => process.exit());
