const TOOL = { name: 'tool', description: 'Answers.', inputSchema: { type: 'object', properties: { text: { type: 'string' } } } };

/** The response to everything but a tool call, or null for a notification. Speaks the session era only. */
export function answerBesideCalls({ id, method, params }) {
  if (id === undefined) return null;
  if (method === 'initialize') {
    const result = {
      protocolVersion: params.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'bench', version: '1' },
    };
    return { jsonrpc: '2.0', id, result };
  }
  if (method === 'tools/list') return { jsonrpc: '2.0', id, result: { tools: [TOOL] } };
  if (method === 'ping') return { jsonrpc: '2.0', id, result: {} };
  return { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } };
}

/** The response to a call that gives back its text. */
export const echo = ({ id, params }) => ({
  jsonrpc: '2.0',
  id,
  result: { content: [{ type: 'text', text: params.arguments.text }] },
});

/** What stands around the text of a result. */
export const headOf = (id) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":"`;
export const TAIL = '"}]}}';

/** Calls `onMessage` for each line of stdin. */
export function readLines(onMessage) {
  let rest = '';
  process.stdin.setEncoding('utf8');
  process.stdin.on('data', (text) => {
    rest += text;
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      if (line !== '') onMessage(JSON.parse(line));
    }
  });
}

/** Calls `onMessage` for each POST; other methods are refused. */
export function onPost(onMessage) {
  return (request, response) => {
    if (request.method !== 'POST') return response.writeHead(405).end();
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => onMessage(JSON.parse(Buffer.concat(chunks)), response));
  };
}

export function answerJson(response, answer) {
  if (answer === null) return response.writeHead(202).end();
  const body = JSON.stringify(answer);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
}
