import { decideApproval, offersFor, reasonsFor, type BuiltInKind } from '../../src-shared/approvals/approval-rule';
import type { Digest } from '../../src-shared/base/digest.schema';
import { toVisibleText, visibleToString } from '../../src-shared/base/visible-text';
import type { Result } from '../../src-shared/base/result';
import type { ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { NameMark } from '../../src-shared/servers/name-marks';
import type { ServerId } from '../../src-shared/servers/server.schema';
import type { FlowSource } from '../../src-shared/approvals/flow-rule';
import type { CheckedArguments } from '../../src-shared/tools/argument-check';
import type { CallerKind, NotRunReason } from '../../src-shared/tools/tool.schema';
import type { ApprovalBroker, ToolQuestion } from '../approvals/approval-broker';
import type { GrantFacts } from '../approvals/chat-grants';
import type { FlowGate } from '../approvals/flow-gate';
import type { Grants } from '../approvals/grants';
import { CallCopies } from './call-copies';
import { flowView } from './flow-view';
import { PAUSED_WORDS, refusalWords } from './not-run-words';
import { outboundOf } from './outbound-call';
import type { Checker } from './schema-verdicts';
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
  /** For the sheets about it (N7). */
  looksLike?: NameMark[];
}

export interface DecisionParts {
  broker: Pick<ApprovalBroker, 'ask' | 'pauses'>;
  grants: Pick<Grants, 'standing' | 'use' | 'remember'>;
  schemaChecker?: Checker;
  flow: Pick<FlowGate, 'newFor' | 'cover' | 'sourcesIn'>;
  /** The user's own mark, on the very definition that would be called (A6). */
  isMarkedReadsOnly(tool: OfferedTool): boolean;
  isAutopilotOn(id: ConversationId): boolean;
  /** Takes known secrets out of a text (S5). */
  mask(text: string): string;
}

export interface Found {
  tool: OfferedTool;
  face: ServerFace;
  /** The call's arguments against the tool's approved schema. */
  checked: Result<CheckedArguments, string>;
  /** Whose text was in the chat when the call came, so that what comes in beside it is none of its reasons (A6). */
  sources: readonly FlowSource[];
}

/** `frozenText` is what was shown and allowed, and the only thing that is sent (A5). */
export type Decision =
  { kind: 'allowed'; by: string; frozenText: string } | { kind: 'not-run'; why: NotRunReason; words: string };

/** A tool of the app's own goes by the same rule. None of today's asks, so one that would is not run (A1, G5). */
export function ownToolRuns(
  parts: Pick<DecisionParts, 'isAutopilotOn'>,
  { caller, conversationId }: ToolCallRequest,
  kind: BuiltInKind,
): boolean {
  const autopilot = parts.isAutopilotOn(conversationId);
  const facts = { reviewed: true, claims: {}, grant: 'none', caller, autopilot, builtIn: { kind, risky: false } } as const;
  return decideApproval(facts) === 'run';
}

/** Asks where the rule says so; `by` says in words what let the call through (A1). */
export async function decideCall(
  parts: DecisionParts,
  request: ToolCallRequest,
  found: Found,
  frozenText: string,
): Promise<Decision> {
  const { tool, face } = found;
  // Also what is granted: whoever was refused that often has to be looked at first (A10).
  if (parts.broker.pauses.isPaused(request.conversationId, tool.serverId)) {
    return { kind: 'not-run', why: 'paused', words: PAUSED_WORDS };
  }
  const grant: GrantFacts = {
    conversationId: request.conversationId,
    caller: request.caller,
    serverId: tool.serverId,
    rawName: tool.rawName,
    fingerprint: face.fingerprint,
    definition: tool.digest,
  };
  const asked = outboundOf(frozenText, (text) => parts.mask(text), face.where);
  const fresh = parts.flow.newFor(grant, found.sources);
  const facts = {
    holdsKey: asked.holdsKey,
    newSources: fresh,
    userReadsOnly: fresh.length > 0 && parts.isMarkedReadsOnly(tool),
    autopilot: parts.isAutopilotOn(request.conversationId),
    reviewed: true,
    claims: tool.definition.claims,
    grant: parts.grants.standing(grant),
    caller: request.caller,
  };
  const decision = decideApproval(facts);
  if (decision === 'refuse') return { kind: 'not-run', why: 'rule', words: `${tool.published} has not been reviewed.` };
  if (decision === 'run') return { kind: 'allowed', by: parts.grants.use(grant), frozenText };

  const flow = flowView(grant, found.sources, fresh);
  const sheetOf = (text: string, digest: Digest): ToolQuestion => {
    const outbound = text === frozenText ? asked : outboundOf(text, (part) => parts.mask(part), face.where);
    const copy = { ...facts, holdsKey: outbound.holdsKey };
    return {
      kind: 'tool-call',
      digest,
      serverId: tool.serverId,
      serverName: face.name,
      namespace: face.namespace,
      where: face.where,
      leaves: face.leaves,
      ...(face.looksLike && { looksLike: face.looksLike }),
      toolName: toVisibleText(tool.rawName),
      typedName: visibleToString(toVisibleText(tool.rawName)),
      caller: request.caller,
      conversationId: request.conversationId,
      claims: tool.definition.claims,
      strength: decision,
      offers: offersFor(copy),
      ...outbound.shown,
      ...(flow.sources.length > 0 && { arguments: outbound.argumentsWith(flow.overlaps), sources: flow.sources }),
      because: reasonsFor(copy),
    };
  };
  const copies = new CallCopies({ definition: tool.definition, checker: parts.schemaChecker, sheetOf }, frozenText);
  const settled = await parts.broker.ask(copies.first(), request.signal, { editing: copies });
  if (settled.kind === 'refused') return { kind: 'not-run', why: settled.why, words: parts.mask(refusalWords(settled)) };
  const allowed = settled.edited === undefined ? frozenText : copies.textOf(settled.edited);
  if (allowed === null)
    return { kind: 'not-run', why: 'rule', words: 'What was allowed is not what was shown, so it was not run.' };
  parts.flow.cover(grant, fresh);
  const how = parts.grants.remember(grant, settled.reach);
  return { kind: 'allowed', by: settled.edited === undefined ? `you ${how}` : `you changed it and ${how}`, frozenText: allowed };
}
