import type { CallAsk } from './mcp-session';
import type { Connection } from './mcp-session-connect';
import type { CallQuestions, Needed, RoundAnswers } from './mcp-session-questions';
import type { WireCall } from './mcp-session-wire';

/** Progress extends a call, but never beyond this (W3). */
export const MAX_CALL_MS = 600_000;

/** The client's own clock stands aside: it would run on while a person is asked. */
const LONGEST_TIMER_MS = 2_147_483_647;
/** The error of 2025-11-25 that names addresses to be opened first. */
const ADDRESSES_FIRST = -32_042;

/** Makes one call, again after each round of questions. What came back stands in `call`; whatever keeps it from coming is thrown. */
export async function callInRounds(
  connection: Connection,
  ask: CallAsk,
  call: WireCall,
  extend: () => void,
  questions: CallQuestions,
): Promise<void> {
  for (let answers: RoundAnswers = {}; ;) {
    const { inputResponses } = answers;
    const leg: WireCall = { ...call, ...(inputResponses ? { answersText: JSON.stringify(inputResponses) } : {}) };
    const needed = await callOnce(connection, ask, leg, answers, extend).finally(() => addTraffic(call, leg));
    if (needed === null) {
      call.raw = leg.raw;
      return;
    }
    answers = await questions.answerRound(needed);
  }
}

async function callOnce(
  { client, wire }: Connection,
  ask: CallAsk,
  call: WireCall,
  answers: RoundAnswers,
  extend: () => void,
): Promise<Needed | null> {
  const { rawName, inputSchema } = ask.definition;
  const callArguments = readArguments(ask.frozenText);
  wire.announceCall(callArguments, call);
  try {
    const result = await client.callTool(
      { name: rawName, arguments: callArguments, ...answers },
      {
        // The output schema stays out: the client would throw the result away after the tool has run.
        toolDefinition: { name: rawName, inputSchema: inputSchema as { type: 'object' } },
        signal: call.signal,
        timeout: LONGEST_TIMER_MS,
        allowInputRequired: true,
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
    return inputNeeded(result);
  } catch (error) {
    const addresses = addressesNeeded(error);
    if (addresses === null) throw error;
    return addresses;
  } finally {
    wire.settle(call);
  }
}

function inputNeeded(result: object): Needed | null {
  const { resultType, inputRequests, requestState } = result as {
    resultType?: unknown;
    inputRequests?: { [key: string]: unknown };
    requestState?: string;
  };
  return resultType === 'input_required' ? { kind: 'input', requests: inputRequests ?? {}, state: requestState } : null;
}

function addressesNeeded(error: unknown): Needed | null {
  const { code, data } = error as { code?: unknown; data?: { elicitations?: unknown } };
  const elicitations = code === ADDRESSES_FIRST ? data?.elicitations : null;
  return Array.isArray(elicitations) && elicitations.length > 0 ? { kind: 'addresses', elicitations } : null;
}

function addTraffic(call: WireCall, { traffic }: WireCall): void {
  if (!traffic) return;
  const { bytesOut = 0, bytesIn = 0 } = call.traffic ?? {};
  call.traffic = { ...traffic, bytesOut: bytesOut + traffic.bytesOut, bytesIn: bytesIn + traffic.bytesIn };
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
