import type { Client } from '@modelcontextprotocol/client';
import type { FormAnswer } from '../../src-shared/approvals/question-answer';
import { MAX_ROUNDS } from '../../src-shared/approvals/question-rule';
import type { Clock } from '../../src-shared/base/clock';
import { ExchangeError } from './session-problem';

/** What goes back to a server that asked. Saying no is `decline`; `cancel` is nobody having said anything. */
export type QuestionReply = { action: 'accept'; content?: FormAnswer } | { action: 'decline' | 'cancel' };

export interface AskedQuestion {
  /** Of `elicitation/create`, as the server sent them. */
  params: unknown;
  /** Aborted when the call is over, or the server takes its question back. */
  signal: AbortSignal;
  /** Set when the call is made again once a person is done at an address; aborted when the server says so itself. */
  returned: AbortSignal | null;
}

export type AnswerQuestion = (asked: AskedQuestion) => Promise<QuestionReply>;

/** Why a call did not end: a stateless server's `input_required`, or the error -32042 of 2025-11-25 with its addresses. */
export type Needed =
  | { kind: 'input'; requests: { [key: string]: unknown }; state: string | undefined }
  | { kind: 'addresses'; elicitations: readonly unknown[] };

/** What the same call is sent with once more. */
export interface RoundAnswers {
  inputResponses?: { [key: string]: QuestionReply };
  requestState?: string;
}

const MAX_QUESTIONS_A_ROUND = 4;
/** Before a call is made again that nobody was asked anything for. */
const PAUSE_MS = 1000;

interface CallQuestionParts {
  /** Absent where nobody is there to be asked. */
  answer: AnswerQuestion | undefined;
  /** Counted over all tries of one call: a session that is opened anew begins no new rounds. */
  rounds: { begun: number };
  signal: AbortSignal;
  clock: Clock;
  /** Stops the call's clock; what it returns lets it run again (W3). */
  pause(): () => void;
}

/** The questions of one call: one at a time, in at most three rounds, answered by whoever let the call run (W8). */
export class CallQuestions {
  // Made for the first question: most calls ask none, and an abort is dear.
  #over: AbortController | undefined;
  #ended = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly parts: CallQuestionParts,
    private readonly awaitReturn: (elicitationId: unknown) => AbortSignal,
  ) {}

  /** A request of the session era. */
  async answerRequest(params: unknown, takenBack: AbortSignal): Promise<QuestionReply> {
    return this.#beginRound() ? this.#ask(params, null, takenBack) : { action: 'cancel' };
  }

  /** Throws when the call cannot go on. */
  async answerRound(needed: Needed): Promise<RoundAnswers> {
    if (!this.#beginRound()) throw new ExchangeError('asked-too-often');
    if (needed.kind === 'addresses') {
      if (needed.elicitations.length > MAX_QUESTIONS_A_ROUND) throw new ExchangeError('asked-too-often');
      for (const params of needed.elicitations) {
        const { mode, elicitationId } = (params ?? {}) as { mode?: unknown; elicitationId?: unknown };
        if (mode !== 'url') throw new ExchangeError('asked-too-much');
        const reply = await this.#ask(params, this.awaitReturn(elicitationId));
        if (reply.action !== 'accept') throw new ExchangeError('not-answered');
      }
      return {};
    }
    const requests = Object.entries(needed.requests);
    if (requests.length > MAX_QUESTIONS_A_ROUND) throw new ExchangeError('asked-too-often');
    const asked = requests.map(([key, request]) => ({ key, ...((request ?? {}) as { method?: unknown; params?: unknown }) }));
    if (asked.some(({ method }) => method !== 'elicitation/create')) throw new ExchangeError('asked-too-much');
    if (asked.length === 0) await this.#rest();
    const replies: [string, QuestionReply][] = [];
    for (const { key, params } of asked) replies.push([key, await this.#ask(params, this.awaitReturn(undefined))]);
    return {
      ...(replies.length === 0 ? {} : { inputResponses: Object.fromEntries(replies) }),
      // Byte for byte as it came, and absent where it was (2026-07-28, multi round trip).
      ...(needed.state === undefined ? {} : { requestState: needed.state }),
    };
  }

  /** Takes every open question off the screen. */
  end(): void {
    this.#ended = true;
    this.#over?.abort();
  }

  #beginRound(): boolean {
    this.parts.rounds.begun += 1;
    return this.parts.rounds.begun <= MAX_ROUNDS;
  }

  #ask(params: unknown, returned: AbortSignal | null, takenBack?: AbortSignal): Promise<QuestionReply> {
    const { answer, signal, pause } = this.parts;
    if (!answer) return Promise.resolve({ action: 'decline' });
    if (this.#ended) return Promise.resolve({ action: 'cancel' });
    this.#over ??= new AbortController();
    const until = AbortSignal.any([this.#over.signal, signal, ...(takenBack ? [takenBack] : [])]);
    const mine = this.#turn.then(async (): Promise<QuestionReply> => {
      if (until.aborted) return { action: 'cancel' };
      const resume = pause();
      try {
        return await answer({ params, signal: until, returned });
      } catch {
        // An error in whoever asks the person is a refusal (A2).
        return { action: 'cancel' };
      } finally {
        resume();
      }
    });
    this.#turn = mine;
    return mine;
  }

  #rest(): Promise<void> {
    const { clock, signal } = this.parts;
    return new Promise((resolve) => {
      const cancel = clock.after(PAUSE_MS, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        resolve();
      });
    });
  }
}

/** What a session knows of its open calls, so that a server's request finds the call it belongs to. */
export class SessionQuestions {
  readonly #calls = new Set<CallQuestions>();
  readonly #returns = new Map<string, AbortController>();
  readonly #told = new Set<string>();

  /** `unshown` is told why a question was not put to anybody: once for each reason, since a server can go on asking. */
  constructor(private readonly unshown: (why: string) => void) {}

  begin(parts: CallQuestionParts): CallQuestions {
    const call = new CallQuestions(parts, (id) => this.#awaitReturn(id));
    this.#calls.add(call);
    return call;
  }

  end(call: CallQuestions): void {
    call.end();
    this.#calls.delete(call);
    if (this.#calls.size === 0) this.#returns.clear();
  }

  /** Only for a client that declared the capability. */
  follow(client: Client): void {
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => this.#asked(params, mcpReq.signal));
    client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
      this.#returns.get(params.elicitationId)?.abort(),
    );
  }

  async #asked(params: unknown, takenBack: AbortSignal): Promise<QuestionReply> {
    const [call, ...others] = this.#calls;
    // A sheet that named the wrong call would be a lie, and the protocol does not say which one asks.
    if (!call || others.length > 0) {
      const why = call
        ? 'It asked a question while several calls were open, so nobody could be told which of them asks. It was not shown.'
        : 'It asked a question while no call was open. It was not shown.';
      if (!this.#told.has(why)) this.unshown(why);
      this.#told.add(why);
      return { action: 'cancel' };
    }
    return call.answerRequest(params, takenBack);
  }

  #awaitReturn(elicitationId: unknown): AbortSignal {
    const abort = new AbortController();
    if (typeof elicitationId === 'string') this.#returns.set(elicitationId, abort);
    return abort.signal;
  }
}
