import { decideApproval, offersFor, reasonsFor } from '../../src-shared/approvals/approval-rule';
import { sha256Hex } from '../../src-shared/base/sha256';
import { toVisibleText, visibleToString } from '../../src-shared/base/visible-text';
import type { Result } from '../../src-shared/base/result';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { CheckedArguments } from '../../src-shared/tools/argument-check';
import type { CallerKind, NotRunReason } from '../../src-shared/tools/tool.schema';
import type { ApprovalBroker } from '../approvals/approval-broker';
import type { ChatGrants, GrantFacts } from '../approvals/chat-grants';
import { refusalWords } from './not-run-words';
import { outboundOf } from './outbound-call';
import type { OfferedTool } from './tool-catalog';

/** Whom a caller means: a name as a model gives it, or one tool of one server as a person picks it. */
export type CallTarget = { kind: 'named'; name: string } | { kind: 'picked'; serverId: ServerId; rawName: string };

export interface ToolCallRequest {
  conversationId: ConversationId;
  caller: CallerKind;
  callId: string;
  target: CallTarget;
  /** As the caller wrote it; checked here and nowhere else. */
  argumentsText: string;
  signal: AbortSignal;
}

/** What the dialog and the transcript say of a server, from the projection every surface prints. */
export interface ServerFace {
  name: string;
  namespace: string;
  where: string;
  leaves: boolean;
  fingerprint: string;
}

export interface DecisionParts {
  broker: Pick<ApprovalBroker, 'ask'>;
  grants: Pick<ChatGrants, 'allow' | 'covers'>;
  /** Takes known secrets out of a text (S5). */
  mask(text: string): string;
}

export interface Found {
  tool: OfferedTool;
  face: ServerFace;
  /** The call's arguments against the tool's approved schema. */
  checked: Result<CheckedArguments, string>;
}

export type Decision = { kind: 'allowed'; by: string } | { kind: 'not-run'; why: NotRunReason; words: string };

/** Asks where the rule says so; `by` says in words what let the call through (A1). */
export async function decideCall(
  parts: DecisionParts,
  request: ToolCallRequest,
  found: Found,
  frozenText: string,
): Promise<Decision> {
  const { tool, face } = found;
  const grant: GrantFacts = {
    conversationId: request.conversationId,
    caller: request.caller,
    serverId: tool.serverId,
    rawName: tool.rawName,
    fingerprint: face.fingerprint,
    definition: tool.digest,
  };
  const { holdsKey, shown } = outboundOf(frozenText, (text) => parts.mask(text), face.where);
  const facts = {
    holdsKey,
    reviewed: true,
    claims: tool.definition.claims,
    grant: parts.grants.covers(grant) ? ('this-chat' as const) : ('none' as const),
    caller: request.caller,
  };
  const decision = decideApproval(facts);
  if (decision === 'refuse') return { kind: 'not-run', why: 'rule', words: `${tool.published} has not been reviewed.` };
  if (decision === 'run') return { kind: 'allowed', by: 'allowed in this chat' };

  const settled = await parts.broker.ask(
    {
      kind: 'tool-call',
      digest: sha256Hex(frozenText),
      serverId: tool.serverId,
      serverName: face.name,
      namespace: face.namespace,
      where: face.where,
      leaves: face.leaves,
      toolName: toVisibleText(tool.rawName),
      typedName: visibleToString(toVisibleText(tool.rawName)),
      caller: request.caller,
      conversationId: request.conversationId,
      claims: tool.definition.claims,
      strength: decision,
      offers: offersFor(facts),
      ...shown,
      because: reasonsFor(facts),
    },
    request.signal,
  );
  if (settled.kind === 'refused') return { kind: 'not-run', why: settled.why, words: refusalWords(settled) };
  if (settled.reach === 'this-chat') parts.grants.allow(grant);
  return { kind: 'allowed', by: settled.reach === 'this-chat' ? 'you allowed it in this chat' : 'you allowed it once' };
}
