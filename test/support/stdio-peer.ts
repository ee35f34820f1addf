import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { ServerLog } from '../../src-main/sessions/server-log';
import { StdioTransport, type StdioTransportParts } from '../../src-main/sessions/stdio-transport';

interface Answer {
  id?: unknown;
  result?: unknown;
  error?: { message: string };
}

/** A real program behind our transport, with the smallest client that can ask it something. */
export function stdioPeer(
  script: string,
  more: Partial<StdioTransportParts> & { env?: Record<string, string>; args?: string[] } = {},
) {
  const log = new ServerLog({ now: () => 0, mask: (text) => text });
  const transport = new StdioTransport({
    serverName: 'Notes',
    launch: {
      realPath: process.execPath,
      args: [script, ...(more.args ?? [])],
      cwd: '/',
      env: { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', ...more.env },
    },
    maxReplyBytes: 2 * 1024 * 1024,
    log,
    ...more,
  });
  const received: JSONRPCMessage[] = [];
  const events: string[] = [];
  const errors: Error[] = [];
  const waiting = new Map<unknown, (answer: Answer | null) => void>();
  transport.onmessage = (message) => {
    received.push(message);
    if ('method' in message) return;
    waiting.get(message.id)?.(message as Answer);
    waiting.delete(message.id);
  };
  transport.onerror = (error) => {
    events.push('error');
    errors.push(error);
  };
  transport.onclose = () => {
    events.push('close');
    for (const settle of waiting.values()) settle(null);
    waiting.clear();
  };
  onTestFinished(() => transport.close());

  let lastId = 0;
  /** Null when the connection ended before an answer came. */
  const ask = async (method: string, params: Record<string, unknown> = {}): Promise<Answer | null> => {
    const id = (lastId += 1);
    const answer = new Promise<Answer | null>((resolve) => waiting.set(id, resolve));
    await transport.send({ jsonrpc: '2.0', id, method, params });
    return answer;
  };
  const callText = async (): Promise<string | null> => {
    const answer = await ask('tools/call', { name: 'echo', arguments: {} });
    return (answer?.result as { content: { text: string }[] } | undefined)?.content[0]?.text ?? null;
  };
  return { transport, log, received, events, errors, ask, callText };
}
