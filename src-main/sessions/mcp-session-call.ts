import type { Traffic } from './http-transport-door';
import type { CallAsk } from './mcp-session';
import { callMessage, readApproved } from './mcp-session-call-message';
import type { CallReply } from './mcp-session-call-reply';
import type { Connection } from './mcp-session-connect';
import { argumentHeaders } from './mcp-session-header-rule';
import type { OwnCall } from './mcp-session-own-calls';
import type { CallQuestions, RoundAnswers } from './mcp-session-questions';

/** Progress extends a call, but never beyond this (W3). */
export const MAX_CALL_MS = 600_000;

const NO_HEADERS = {};

export interface CallRun {
  signal: AbortSignal;
  extend(): void;
  pause: OwnCall['pause'];
  /** Grows each time the call is sent. */
  moved: Traffic;
}

/** Makes one call, again after each round of questions, and gives its result object; whatever keeps that from coming is thrown. */
export async function callInRounds(
  connection: Connection,
  ask: CallAsk,
  run: CallRun,
  questions: CallQuestions,
): Promise<object> {
  for (let answers: RoundAnswers = {}; ;) {
    const reply = await callOnce(connection, ask, run, answers);
    if (reply.kind === 'complete') return reply.raw;
    answers = await questions.answerRound(reply);
  }
}

async function callOnce(
  { wire, era, envelope }: Connection,
  { definition, frozenText, conversation, onProgress }: CallAsk,
  { signal, extend, pause, moved }: CallRun,
  answers: RoundAnswers,
): Promise<CallReply> {
  const callArguments = readApproved(frozenText);
  const { rawName, inputSchema } = definition;
  return wire.callTool({
    compose: (id) => callMessage(id, { rawName, frozenText }, callArguments, envelope, answers),
    envelope,
    // By the approved definition, whatever the server lists by now (R4).
    headers: era === 'modern' && wire.hasPerRequestStream ? argumentHeaders(inputSchema, callArguments) : NO_HEADERS,
    signal,
    conversation,
    pause,
    onTraffic: ({ bytesOut, bytesIn, address }) => {
      moved.bytesOut += bytesOut;
      moved.bytesIn += bytesIn;
      moved.address = address;
    },
    onProgress: (progress) => {
      extend();
      onProgress?.(progress);
    },
  });
}
