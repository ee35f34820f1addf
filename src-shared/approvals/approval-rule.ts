import type { CallerKind, ToolClaims } from '../tools/tool.schema';
import type { ToolApproval } from './approval.schema';
import { nameSources, type FlowSource } from './flow-rule';

/** What a tool of the app's own does, by the strictest thing it can (G5). */
export type BuiltInKind = 'quiet' | 'workspace-read' | 'write' | 'command' | 'code';

export interface ToolCallFacts {
  /** The definition that would be called is the one the user reviewed. */
  reviewed: boolean;
  /** What the server claims. A claim may tighten the decision, never loosen it (A3). */
  claims: ToolClaims;
  /** Standing for this very tool of this server, this kind of caller and this definition; the grant store knows (A1). */
  grant: 'always' | 'this-chat' | 'none';
  caller: CallerKind;
  /** The arguments hold a stored secret or what looks like a key; no grant covers that (A7). */
  holdsKey?: boolean;
  /** Text of others in the chat that no approval of this tool has covered yet, as flow-rule tells it (A6). */
  newSources?: readonly FlowSource[];
  /** The user's own mark on this tool, and never a claim of its server (A6). */
  userReadsOnly?: boolean;
  /** Switched on in this chat. It reaches the app's own tools and no other (A4). */
  autopilot?: boolean;
  /** Absent for a tool of a server. `risky`: it destroys, the command is flagged, or a protected path is touched (A4, G8). */
  builtIn?: { kind: BuiltInKind; risky: boolean };
}

export type ApprovalDecision = 'run' | 'ask' | 'ask-harder' | 'refuse';
export type ApprovalOffer = ToolApproval['offers'][number];

/** The order of the lines is the order of the policy. */
export function decideApproval(facts: ToolCallFacts): ApprovalDecision {
  if (!facts.reviewed) return 'refuse';
  if (facts.builtIn) return decideBuiltIn(facts, facts.builtIn);
  if (facts.claims.destructive === true) return 'ask-harder';
  if (facts.holdsKey === true || isHeldByFlow(facts)) return 'ask';
  return facts.grant === 'none' ? 'ask' : 'run';
}

function decideBuiltIn(facts: ToolCallFacts, { kind, risky }: { kind: BuiltInKind; risky: boolean }): ApprovalDecision {
  // What it is given reaches nobody but the app, so there is nothing to ask (G5).
  if (kind === 'quiet') return 'run';
  if (risky || facts.holdsKey === true) return 'ask';
  if (kind === 'workspace-read') return 'run';
  if (isHeldByFlow(facts)) return 'ask';
  // The command line belongs to no chat, so no chat's switch speaks for it.
  const skipped = facts.autopilot === true && facts.caller !== 'command-line';
  return skipped || facts.grant !== 'none' ? 'run' : 'ask';
}

function isHeldByFlow(facts: ToolCallFacts): boolean {
  return facts.userReadsOnly !== true && (facts.newSources ?? []).length > 0;
}

/** The allowing answers that can be given, in order of reach. */
export function offersFor(facts: ToolCallFacts): ApprovalOffer[] {
  if (!facts.reviewed) return [];
  if (facts.claims.destructive === true || facts.builtIn?.risky === true || facts.holdsKey === true) return ['once'];
  // A call from the command line belongs to no chat, so there is none to grant it in.
  const offers: ApprovalOffer[] = facts.caller === 'command-line' ? ['once'] : ['once', 'this-chat'];
  // A lasting grant is bound to a server's launch and to its definition; a tool of the app's own has neither (A1).
  return facts.builtIn ? offers : [...offers, 'always'];
}

const ASKED_BY: Record<CallerKind, string> = {
  model: 'The model asks to run this tool.',
  you: 'You chose to run this tool by hand.',
  'command-line': 'A program on this computer asks to run this tool through the command line.',
};

const GRANTED = { 'this-chat': 'in this chat', always: 'always' } as const;
const NOT_COVERED = 'and no answer of yours about this tool came after it';

/** Why the sheet is up, one sentence each. Empty when the call runs without asking. */
export function reasonsFor(facts: ToolCallFacts): string[] {
  const decision = decideApproval(facts);
  if (decision === 'run') return [];
  if (decision === 'refuse') return ['This tool is not reviewed, or changed since you reviewed it.'];
  const reasons = [ASKED_BY[facts.caller]];
  if (facts.claims.destructive === true && facts.grant !== 'none') {
    reasons.push(`You allowed this tool ${GRANTED[facts.grant]}, but a tool its server calls destructive asks every time.`);
  }
  if (facts.builtIn?.risky === true) reasons.push('What it would do here is hard to undo, or touches what is protected.');
  if (facts.holdsKey === true) reasons.push('What looks like a key is in the arguments. Such a call asks every time.');
  if (isHeldByFlow(facts)) reasons.push(`Text from ${nameSources(facts.newSources ?? [])} is in this chat, ${NOT_COVERED}.`);
  return facts.builtIn ? reasons : [...reasons, ...describeClaims(facts.claims)];
}

/** What the server says of its tool, as its own words and never as a fact (A3). */
export function describeClaims(claims: ToolClaims): string[] {
  const sentences: string[] = [];
  if (claims.readOnly === true && claims.destructive === true) {
    sentences.push(
      'The server contradicts itself: it says this tool only reads, and also that it can destroy. It is treated as destructive.',
    );
  } else if (claims.destructive === true) sentences.push('The server says this tool can delete or overwrite things.');
  else if (claims.readOnly === true) sentences.push('The server says this tool only reads. Nothing here has checked that.');
  else if (claims.readOnly === false && claims.destructive === false)
    sentences.push('The server says this tool changes things, but only by adding.');
  else if (claims.readOnly === false) sentences.push('The server says this tool changes things.');
  else if (claims.destructive === false)
    sentences.push('The server says this tool deletes nothing. It does not say whether it changes things.');
  else sentences.push('The server does not say whether this tool changes things.');
  if (claims.openWorld === true) sentences.push('The server says this tool reaches out to other systems.');
  return sentences;
}
