import { createServer } from 'node:http';
import { answerBesideCalls, answerJson, echo, onPost } from './mcp-answers.mjs';

const server = createServer(
  onPost((message, response) =>
    answerJson(response, message.method === 'tools/call' ? echo(message) : answerBesideCalls(message)),
  ),
);
server.listen(0, '127.0.0.1', () => process.send({ url: `http://127.0.0.1:${server.address().port}/mcp` }));
process.on('disconnect', () => process.exit());
