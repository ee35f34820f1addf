import { findKeys } from '../../src-shared/approvals/outbound-check';
import { checkAnswer, MAX_ANSWER_LENGTH, type FormAnswer } from '../../src-shared/approvals/question-answer';
import { readQuestion, type QuestionAddress, type ServerQuestion } from '../../src-shared/approvals/question-rule';
import { sha256Hex } from '../../src-shared/base/sha256';
import { failed, type Result } from '../../src-shared/base/result';
import { toVisibleText } from '../../src-shared/base/visible-text';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { maskMembers, maskText } from '../../src-shared/tools/mask-listing';
import { oneLine } from '../../src-shared/tools/output-treatment';
import type { CallerKind, Json, JsonObject } from '../../src-shared/tools/tool.schema';
import type { ApprovalBroker, Question, Settled } from '../approvals/approval-broker';
import type { AnswerQuestion, AskedQuestion, QuestionReply } from '../sessions/mcp-session-questions';
import type { ServerFace } from './call-decision';

/** The open call a server asks during, as the pipeline knows it. */
export interface AskingCall {
  serverId: ServerId;
  rawName: string;
  face: Pick<ServerFace, 'name' | 'namespace' | 'where' | 'leaves' | 'looksLike'>;
  conversationId: ConversationId;
}

export interface ServerQuestionParts {
  broker: Pick<ApprovalBroker, 'ask'>;
  /** Takes known secrets out of a text (S5). */
  mask(text: string): string;
  /** Hands an address to the system's browser; false when it could not. Absent where there is no window to ask in. */
  openBrowser?(address: string, conversation: ConversationId): Promise<boolean>;
}

/** Whom a server can ask during one call: nobody where a program calls, and nobody without a window (W8). `asked` hears what became of it. */
export function questionsDuring(
  parts: ServerQuestionParts,
  caller: CallerKind,
  call: AskingCall,
  asked: string[],
): AnswerQuestion | undefined {
  const openBrowser = parts.openBrowser?.bind(parts);
  if (!openBrowser || caller === 'command-line') return undefined;
  const able = { broker: parts.broker, mask: (text: string) => parts.mask(text), openBrowser };
  return (question) => answerQuestion(able, call, question, (became) => asked.push(able.mask(became)));
}

/** Asks a person what a server wants to know during a call they allowed, and gives back nothing else (W8). `tell` hears in words what became of it. */
async function answerQuestion(
  parts: Required<ServerQuestionParts>,
  call: AskingCall,
  asked: AskedQuestion,
  tell: (became: string) => unknown,
): Promise<QuestionReply> {
  const question = readQuestion(asked.params, call.face);
  if (!question.ok) {
    tell(question.problem);
    return { action: 'decline' };
  }
  // A secret of this app stands on no sheet, also where a server gives it back (S5).
  const mask = (text: string): string => parts.mask(text);
  const shown = { ...question.value, message: maskText(question.value.message, mask) };
  return shown.kind === 'form'
    ? askForm(parts, call, { ...shown, schema: maskMembers(shown.schema, mask) }, asked, tell)
    : askAddress(parts, call, shown, asked, tell);
}

type Form = Extract<ServerQuestion, { kind: 'form' }>;
type Address = Extract<ServerQuestion, { kind: 'address' }>;

async function askForm(
  parts: Required<ServerQuestionParts>,
  call: AskingCall,
  form: Form,
  { signal }: AskedQuestion,
  tell: (became: string) => unknown,
): Promise<QuestionReply> {
  const judge = (text: string): Result<FormAnswer, string> => readFilled(form.schema, text, (part) => parts.mask(part));
  const settled = await parts.broker.ask(requestOf(call, form, { kind: 'form', schema: form.schema }), signal, { judge });
  tell(becameOf(settled, call.face.name, 'a question', 'you answered it'));
  return settled.kind === 'allowed' && settled.filled ? { action: 'accept', content: settled.filled } : refusal(settled);
}

async function askAddress(
  parts: Required<ServerQuestionParts>,
  call: AskingCall,
  question: Address,
  { signal, returned }: AskedQuestion,
  tell: (became: string) => unknown,
): Promise<QuestionReply> {
  const { address } = question;
  if (parts.mask(address.whole) !== address.whole) {
    tell(`${call.face.name} asked to open an address that holds a secret of this app, so it was not opened.`);
    return { action: 'decline' };
  }
  const opening = await parts.broker.ask(requestOf(call, question, { kind: 'open', ...aroundHost(address) }), signal);
  tell(becameOf(opening, call.face.name, `${address.host} to be opened`, 'you opened it'));
  if (opening.kind === 'refused') return refusal(opening);
  if (!(await parts.openBrowser(address.whole, call.conversationId))) {
    tell(`The browser did not open ${address.host}.`);
    return { action: 'cancel' };
  }
  if (returned === null) return { action: 'accept' };

  // The server's own word that it is done there saves the person a click, and nothing more: the call was allowed before.
  const until = AbortSignal.any([signal, returned]);
  const back = await parts.broker.ask(requestOf(call, question, { kind: 'come-back', host: address.host }), until);
  return back.kind === 'allowed' || (returned.aborted && !signal.aborted) ? { action: 'accept' } : { action: 'cancel' };
}

function requestOf(
  { serverId, rawName, conversationId, face }: AskingCall,
  { message, removedCharacters }: ServerQuestion,
  ask: Extract<Question, { kind: 'question' }>['ask'],
): Question {
  return {
    kind: 'question',
    serverId,
    serverName: face.name,
    namespace: face.namespace,
    where: face.where,
    leaves: face.leaves,
    ...(face.looksLike && { looksLike: face.looksLike }),
    conversationId,
    toolName: toVisibleText(rawName),
    // What stands on the sheet is what the answer is for (A5).
    digest: sha256Hex(JSON.stringify([serverId, rawName, message, ask])),
    message,
    removedCharacters,
    ask,
  };
}

/** Only what the form asks for, within its rules, and without a secret of this app or what looks like a key (A7). */
function readFilled(schema: JsonObject, text: string, mask: (text: string) => string): Result<FormAnswer, string> {
  if (text.length > MAX_ANSWER_LENGTH) return failed('That is more than a form takes. Make it shorter.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return failed('The answer does not fit the form. Fill it in again.');
  }
  const checked = checkAnswer(schema, value);
  if (!checked.ok) {
    const [first] = checked.problem;
    return failed(first && first.path.length > 0 ? `“${labelOf(schema, first.path[0]!)}”: ${first.message}` : first!.message);
  }
  for (const [name, part] of Object.entries(checked.value)) {
    const words = typeof part === 'string' ? part : JSON.stringify(part);
    if (mask(words) !== words)
      return failed(`“${labelOf(schema, name)}” holds a secret this app keeps for you. Take it out, and the form can be sent.`);
    const [key] = findKeys(words);
    if (key)
      return failed(`“${labelOf(schema, name)}” holds what looks like ${key.what}. Take it out, and the form can be sent.`);
  }
  return checked;
}

function labelOf({ properties }: JsonObject, name: string): string {
  const field = (properties as { [name: string]: Json } | undefined)?.[name] as { title?: Json } | undefined;
  const title = typeof field?.title === 'string' ? oneLine(field.title, 60) : '';
  return title === '' ? oneLine(name, 60) : title;
}

/** Where the host stands in the address, so that the eye finds it. */
function aroundHost({ whole, host, warning }: QuestionAddress): {
  before: string;
  host: string;
  after: string;
  warning: string | null;
} {
  const at = whole.indexOf('//') + 2;
  const keys = [...new Set(findKeys(whole).map(({ what }) => what))].map(
    (what) => `The address holds what looks like ${what}. Opening it gives that to ${host}.`,
  );
  return {
    before: whole.slice(0, at),
    host,
    after: whole.slice(at + host.length),
    warning: [warning, ...keys].filter((sentence) => sentence).join(' ') || null,
  };
}

/** A person's no is `decline`; silence, a stop or a full queue is `cancel`. */
function refusal(settled: Settled): QuestionReply {
  return { action: settled.kind === 'refused' && settled.why === 'user' ? 'decline' : 'cancel' };
}

function becameOf(settled: Settled, server: string, what: string, accepted: string): string {
  const asked = what === 'a question' ? `${server} asked a question` : `${server} asked for ${what}`;
  if (settled.kind === 'allowed') return `${asked}, and ${accepted}.`;
  switch (settled.why) {
    case 'user':
      return `${asked}, and you said no.`;
    case 'nobody-answered':
      return `${asked}, and nobody answered in time.`;
    case 'cancelled':
      return `${asked}, and the call was over before anybody answered.`;
    case 'paused':
      return `${asked} while it is paused in this chat, so it was not shown.`;
    case 'too-many-waiting':
      return `${asked} while too many were waiting, so it was not shown.`;
  }
}
