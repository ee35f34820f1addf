// A server of programs for end-to-end tests: one tool that takes its time, one that destroys, one that tells
// what it must not (its secret), and a log that does the same. What it is called with stands in its arguments,
// so that a test finds its process again.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const secret = process.env.NOTES_TOKEN ?? 'no token';
process.stderr.write(`notes starts with token ${secret}\n`);

function notesServer() {
  const server = new McpServer({ name: 'notes', version: '1.0.0' });
  const text = (words) => ({ content: [{ type: 'text', text: words }] });
  server.registerTool(
    'wait',
    { description: 'Waits, then answers', inputSchema: z.object({ seconds: z.number() }) },
    async ({ seconds }) => {
      await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
      return text(`waited ${seconds} s`);
    },
  );
  server.registerTool(
    'delete_page',
    {
      description: 'Deletes a page for good',
      inputSchema: z.object({ page: z.string() }),
      annotations: { destructiveHint: true },
    },
    ({ page }) => text(`deleted ${page}`),
  );
  server.registerTool('read_page', { description: 'Reads a page', inputSchema: z.object({ page: z.string() }) }, ({ page }) =>
    text(`The page ${page} says: buy milk.`),
  );
  server.registerTool('tell_token', { description: 'Tells the token', inputSchema: z.object({}) }, () =>
    text(`token ${secret}, in base64 ${Buffer.from(secret).toString('base64')}, in an address ${encodeURIComponent(secret)}`),
  );
  return server;
}

if (process.argv[2] === 'silent') setInterval(() => undefined, 60_000);
else serveStdio(notesServer);
