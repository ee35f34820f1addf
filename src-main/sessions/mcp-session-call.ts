import type { CallAsk } from './mcp-session';
import type { Connection } from './mcp-session-connect';
import type { WireCall } from './mcp-session-wire';

/** Progress extends a call, but never beyond this (W3). */
export const MAX_CALL_MS = 600_000;

/** Makes one call on one connection. What came back stands in `call`; whatever keeps it from coming is thrown. */
export async function callOnce({ client, wire }: Connection, ask: CallAsk, call: WireCall, extend: () => void): Promise<void> {
  const { rawName, inputSchema } = ask.definition;
  const callArguments = readArguments(ask.frozenText);
  wire.announceCall(callArguments, call);
  try {
    await client.callTool(
      { name: rawName, arguments: callArguments },
      {
        // The output schema stays out: the client would throw the result away after the tool has run.
        toolDefinition: { name: rawName, inputSchema: inputSchema as { type: 'object' } },
        signal: call.signal,
        timeout: MAX_CALL_MS * 2,
        onprogress: ({ progress, total, message }) => {
          extend();
          ask.onProgress?.({
            progress,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message }),
          });
        },
      },
    );
  } finally {
    wire.settle(call);
  }
}

/** Text that is no JSON object becomes one that no approved bytes equal, so the wire refuses it. */
function readArguments(frozenText: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(frozenText);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
