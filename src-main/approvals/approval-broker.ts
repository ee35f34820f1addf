import { randomBytes, randomUUID } from 'node:crypto';
import type { EditedPart } from '../../src-shared/approvals/argument-edit';
import {
  ApprovalIdSchema,
  ARMING_MS,
  DEFAULT_APPROVAL_TIMEOUT_MS,
  NonceSchema,
  type ApprovalAnswer,
  type ApprovalId,
  type ApprovalRequest,
  type EditableText,
  type LaunchApproval,
  type Nonce,
  type QuestionApproval,
  type SignInApproval,
  type ToolApproval,
} from '../../src-shared/approvals/approval.schema';
import type { FormAnswer } from '../../src-shared/approvals/question-answer';
import type { Clock } from '../../src-shared/base/clock';
import type { Digest } from '../../src-shared/base/digest.schema';
import { failed, ok, type Result } from '../../src-shared/base/result';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { cameFromAPerson, type InputWitness } from './real-act';
import { ServerPauses } from './server-pauses';

/** More than this many questions are a flood, not a conversation; the rest is refused (A10). */
export const MAX_WAITING = 20;
export const MAX_WAITING_PER_SERVER = 5;

export type Settled =
  | {
      kind: 'allowed';
      reach: 'once' | 'this-chat' | 'always';
      filled?: FormAnswer;
      privateNetwork?: true;
      /** Names the copy that was allowed, where the person changed the arguments (A5). */
      edited?: Digest;
    }
  | { kind: 'refused'; why: 'user' | 'nobody-answered' | 'cancelled' | 'too-many-waiting' | 'paused'; reason?: string };

type AssignedHere = 'id' | 'nonce' | 'askedAt' | 'expiresAt';
export type ToolQuestion = Omit<ToolApproval, AssignedHere>;
export type Question =
  ToolQuestion | Omit<LaunchApproval, AssignedHere> | Omit<QuestionApproval, AssignedHere> | Omit<SignInApproval, AssignedHere>;
/** Reads a filled form; a sentence says what keeps it from being sent. */
export type FormJudge = (text: string) => Result<FormAnswer, string>;

/** Freezes copies of a call that a person changes on its sheet, and knows the bytes of each by its digest (A5). */
export interface Editing {
  /** What is edited; a sentence when it is not there. */
  read(of: Digest, part: EditedPart): Result<EditableText, string>;
  /** Checks what was typed as the first copy was checked. */
  freeze(of: Digest, part: EditedPart, typed: string): Promise<Result<ToolQuestion, string>>;
}

/** What can be done with a question besides answering it. */
export interface QuestionExtras {
  judge?: FormJudge;
  editing?: Editing;
}

interface Pending {
  request: ApprovalRequest;
  conversationId: ConversationId | null;
  /** When its sheet came into sight; null until then. */
  shownAt: number | null;
  extras: QuestionExtras;
  /** Starts the time it waits, once more after each change. */
  wait(): void;
  settle(outcome: Settled): void;
}

/** Which copy on which sheet is meant. */
export interface SheetNamed {
  id: ApprovalId;
  digest: Digest;
  nonce: Nonce;
}

export interface AnswerGiven extends SheetNamed {
  answer: ApprovalAnswer;
}

const SETTLED_ALREADY = 'That question was already settled. Nothing was run by this answer.';
const OTHER_COPY = 'That answer was for something else than what is shown. Look again.';

/** Holds launches and tool calls until the user answers. Silence is a refusal (A2). */
export class ApprovalBroker {
  readonly #pending = new Map<ApprovalId, Pending>();
  /** Whom nobody is asked about any more (A10). */
  readonly pauses: ServerPauses;

  constructor(
    private readonly clock: Clock,
    private readonly input: InputWitness,
    private readonly changed: () => void,
    private readonly waitingMs: () => number = () => DEFAULT_APPROVAL_TIMEOUT_MS,
  ) {
    this.pauses = new ServerPauses(changed);
  }

  /**
   * Asks, and resolves exactly once. A signal that is aborted settles it as cancelled. Only what has a judge can be filled in,
   * and only what can be frozen anew can be changed.
   */
  ask(question: Question, signal?: AbortSignal, extras: QuestionExtras = {}): Promise<Settled> {
    if (signal?.aborted) return Promise.resolve({ kind: 'refused', why: 'cancelled' });
    if (this.#isPaused(question)) return Promise.resolve({ kind: 'refused', why: 'paused' });
    if (this.#isFlooded(question.serverId)) return Promise.resolve({ kind: 'refused', why: 'too-many-waiting' });

    const id = ApprovalIdSchema.parse(`approval-${randomUUID()}`);
    return new Promise((resolve) => {
      let cancelTimeout = (): void => undefined;
      const onAbort = (): void => this.#settle(id, { kind: 'refused', why: 'cancelled' });
      signal?.addEventListener('abort', onAbort);
      const pending: Pending = {
        request: { ...question, ...this.#assigned(id, this.clock.now()) },
        conversationId: 'conversationId' in question ? question.conversationId : null,
        shownAt: null,
        extras,
        wait: () => {
          cancelTimeout();
          const rest = pending.request.expiresAt - this.clock.now();
          cancelTimeout = this.clock.after(rest, () => this.#settle(id, { kind: 'refused', why: 'nobody-answered' }));
        },
        settle: (outcome) => {
          cancelTimeout();
          signal?.removeEventListener('abort', onAbort);
          resolve(outcome);
        },
      };
      pending.wait();
      this.#pending.set(id, pending);
      this.changed();
    });
  }

  /** What waits, oldest first. */
  waiting(): ApprovalRequest[] {
    return [...this.#pending.values()].map((pending) => pending.request);
  }

  /** Starts the arming time of the sheet in sight. Only one can be, so every other one begins anew when its turn comes (A9). */
  shown(id: ApprovalId): void {
    for (const pending of this.#pending.values()) {
      if (pending.request.id !== id) pending.shownAt = null;
      else pending.shownAt ??= this.clock.now();
    }
  }

  /** What of the sheet's call a person is about to change. */
  editable(named: SheetNamed, part: EditedPart): Result<EditableText, string> {
    const pending = this.#editingOf(named);
    return pending.ok ? pending.value.editing.read(named.digest, part) : pending;
  }

  /** Puts a changed copy in the place of the one that is shown: with a digest and a nonce of its own, not armed, and nothing run (A5). */
  async edit(named: SheetNamed, part: EditedPart, typed: string): Promise<Result<void, string>> {
    const found = this.#editingOf(named);
    if (!found.ok) return found;
    const frozen = await found.value.editing.freeze(named.digest, part, typed);
    if (!frozen.ok) return frozen;
    // The check took its time: meanwhile it can have been answered, or changed by another step.
    const still = this.#editingOf(named);
    if (!still.ok) return still;
    const { pending } = still.value;
    pending.request = { ...frozen.value, ...this.#assigned(named.id, pending.request.askedAt) };
    pending.shownAt = null;
    pending.wait();
    this.changed();
    return ok(undefined);
  }

  /** Refusing is always heard. Allowing needs an armed sheet, its nonce, the digest of the frozen bytes and a real key press or click. */
  answer({ id, digest, nonce, answer }: AnswerGiven): Result<void, string> {
    const pending = this.#pending.get(id);
    if (!pending) return failed(SETTLED_ALREADY);
    if (answer.kind === 'refuse') {
      this.#settle(id, { kind: 'refused', why: 'user', ...(answer.reason ? { reason: answer.reason } : {}) });
      return ok(undefined);
    }

    const { request } = pending;
    // A timer can be late: while a computer sleeps its clock goes on, and its timers do not.
    if (this.clock.now() >= request.expiresAt) {
      this.#settle(id, { kind: 'refused', why: 'nobody-answered' });
      return failed('That question had waited too long and was refused. Nothing was run by this answer.');
    }
    if (request.nonce !== nonce || request.digest !== digest) return failed(OTHER_COPY);
    if (!this.#isArmed(pending)) return failed('That answer came before the question could be read. Look again, then choose.');
    if (answer.kind === 'filled') {
      const filled = pending.extras.judge?.(answer.text) ?? failed('That question is not a form.');
      if (filled.ok) this.#settle(id, { kind: 'allowed', reach: 'once', filled: filled.value });
      return filled.ok ? ok(undefined) : filled;
    }
    const refusal = this.#refusalFor(request, answer);
    if (refusal) return failed(refusal);

    // Only where it was asked for: a yes to a question that was not on the screen is none (E7).
    const privateNetwork =
      answer.kind === 'once' &&
      answer.privateNetwork === true &&
      request.kind === 'launch' &&
      request.privateNetwork !== undefined;
    const edited = request.kind === 'tool-call' && request.edited === true ? { edited: request.digest } : {};
    this.#settle(id, { kind: 'allowed', reach: answer.kind, ...(privateNetwork && { privateNetwork }), ...edited });
    return ok(undefined);
  }

  /** Stop, new chat and delete settle all of that chat's questions (A2). */
  settleConversation(conversationId: ConversationId): void {
    this.#settleWhere((pending) => pending.conversationId === conversationId);
  }

  /** A server that was turned off or removed has nothing left to ask. */
  settleServer(serverId: ServerId): void {
    this.#settleWhere((pending) => pending.request.serverId === serverId);
  }

  /** The window is gone, was reloaded, or the app quits: nobody is there to say yes (A2). */
  settleAll(): void {
    this.#settleWhere(() => true);
  }

  #assigned(id: ApprovalId, askedAt: number): Pick<ApprovalRequest, AssignedHere> {
    const nonce = NonceSchema.parse(randomBytes(16).toString('hex'));
    return { id, nonce, askedAt, expiresAt: this.clock.now() + this.waitingMs() };
  }

  #editingOf({ id, digest, nonce }: SheetNamed): Result<{ pending: Pending; editing: Editing }, string> {
    const pending = this.#pending.get(id);
    if (!pending || this.clock.now() >= pending.request.expiresAt) return failed(SETTLED_ALREADY);
    if (pending.request.nonce !== nonce || pending.request.digest !== digest) return failed(OTHER_COPY);
    const { editing } = pending.extras;
    return editing ? ok({ pending, editing }) : failed('This question is answered as it stands.');
  }

  #isArmed(pending: Pending): boolean {
    const armedAt = pending.shownAt === null ? Infinity : pending.shownAt + ARMING_MS;
    return this.clock.now() >= armedAt && this.input.lastInputAt() >= armedAt && cameFromAPerson(this.input, this.clock);
  }

  #refusalFor(request: ApprovalRequest, answer: Exclude<ApprovalAnswer, { kind: 'refuse' | 'filled' }>): string | null {
    if (request.kind === 'question') {
      if (request.ask.kind === 'form') return 'Fill in the form to send it.';
      return answer.kind === 'once' ? null : 'A question is answered once.';
    }
    if (request.kind === 'launch' || request.kind === 'sign-in')
      return answer.kind === 'once' ? null : 'What is shown is approved once, not for a chat.';
    if (!request.offers.includes(answer.kind)) return 'That answer is not offered for this call.';
    if (request.strength === 'ask-harder' && (answer.kind !== 'once' || answer.typedName !== request.typedName)) {
      return `Type ${request.typedName} to run it.`;
    }
    return null;
  }

  #isPaused(question: Question): boolean {
    const conversation = 'conversationId' in question ? question.conversationId : null;
    return conversation !== null && this.pauses.isPaused(conversation, question.serverId);
  }

  #isFlooded(serverId: ServerId): boolean {
    const waiting = this.waiting();
    return (
      waiting.length >= MAX_WAITING || waiting.filter((request) => request.serverId === serverId).length >= MAX_WAITING_PER_SERVER
    );
  }

  #settleWhere(matches: (pending: Pending) => boolean): void {
    for (const [id, pending] of [...this.#pending]) {
      if (matches(pending)) this.#settle(id, { kind: 'refused', why: 'cancelled' });
    }
  }

  #settle(id: ApprovalId, outcome: Settled): void {
    const pending = this.#pending.get(id);
    if (!pending) return;
    this.#pending.delete(id);
    // A silence tires as a no does; what was stopped or never shown was nobody's decision.
    const isDeclined = outcome.kind === 'refused' && (outcome.why === 'user' || outcome.why === 'nobody-answered');
    if (isDeclined && pending.conversationId !== null) this.pauses.refused(pending.conversationId, pending.request.serverId);
    pending.settle(outcome);
    this.changed();
  }
}
