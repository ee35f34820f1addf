// Answers a call over HTTP in the odd way its argument names. Tells how many of its calls still hold a socket.
import { createServer } from 'node:http';
import { answerBesideCalls, answerJson, echo, onPost } from './mcp-answers.mjs';
import { listing, NOTE, NOTES } from './odd-answers.mjs';

let open = 0;

const server = createServer(
  onPost((message, response) => {
    if (message.method === 'tools/list') return answerJson(response, listing(message.id));
    if (message.method !== 'tools/call') return answerJson(response, answerBesideCalls(message));
    open += 1;
    response.once('close', () => (open -= 1));
    const { way } = message.params.arguments;
    if (way === 'dribble') return dribble(response);
    if (way === 'events') return void sendEvents(message, response);
    return answerJson(response, echo(message));
  }),
);
process.on('message', () => process.send({ sent: open }));
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/mcp` }));

function dribble(response) {
  response.writeHead(200, { 'content-type': 'application/json' });
  const timer = setInterval(() => response.write(' '), 1000);
  response.write(' ');
  response.once('close', () => clearInterval(timer));
}

async function sendEvents(message, response) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const events = `data: ${NOTE}\n\n`.repeat(1000);
  for (let sent = 0; sent < NOTES && !response.destroyed; sent += 1000) {
    if (!response.write(events)) await new Promise((resolve) => response.once('drain', resolve));
  }
  response.end(`data: ${JSON.stringify(echo(message))}\n\n`);
}
