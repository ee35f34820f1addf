import { answerBesideCalls, echo, readLines } from './mcp-answers.mjs';

readLines((message) => {
  const answer = message.method === 'tools/call' ? echo(message) : answerBesideCalls(message);
  if (answer) process.stdout.write(`${JSON.stringify(answer)}\n`);
});
process.stdin.on('end', () => process.exit());
