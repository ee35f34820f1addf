import { z } from 'zod';
import {
  ApprovalAnswerSchema,
  ApprovalIdSchema,
  ApprovalRequestSchema,
  EditableTextSchema,
  NonceSchema,
} from '../approvals/approval.schema';
import { GrantIdSchema, GrantsViewSchema } from '../approvals/grant.schema';
import { AttachableRowSchema, AttachmentAskSchema, MAX_ATTACHMENTS } from '../attachments/attachment.schema';
import { DigestSchema } from '../base/digest.schema';
import type { Result } from '../base/result';
import {
  ConversationEntrySchema,
  ConversationFeedSchema,
  ConversationIdSchema,
  ConversationSummarySchema,
} from '../conversations/conversation.schema';
import { EgressViewSchema } from '../egress/egress.schema';
import { ModelDraftSchema, ModelIdSchema, ModelRowSchema } from '../models/model.schema';
import { ShownSignInClientSchema, SignInClientDraftSchema } from '../oauth/sign-in.schema';
import { ImportPreviewSchema, MAX_DROPPED_LENGTH } from '../servers/import.schema';
import {
  LimitsDraftSchema,
  ServerDraftSchema,
  ServerIdSchema,
  ServerLogLineSchema,
  ServerRowSchema,
} from '../servers/server.schema';
import { WireChoiceSchema } from '../servers/wire-choice.schema';
import { WorkspaceRowSchema } from '../servers/workspace.schema';
import { ShellViewSchema } from '../settings/shell.schema';
import { DefinitionDiffSchema } from '../tools/definition-diff.schema';
import { ShownInstructionsSchema } from '../tools/instructions.schema';
import { JsonSchema, ToolRowSchema } from '../tools/tool.schema';
import { call } from './define';

const nothing = z.object({});
const WorkspaceAskSchema = z.object({ folder: z.string().min(1).max(4096) });
const sheetPart = z.object({
  id: ApprovalIdSchema,
  digest: DigestSchema,
  nonce: NonceSchema,
  argument: z.number().int().min(0).max(100_000).nullable(),
});

/** Everything that may cross between the window and the main process. */
export const contract = {
  /** Window asks, main answers once. */
  calls: {
    'servers.add': call(ServerDraftSchema, z.object({ id: ServerIdSchema })),
    /** Nothing changes when the draft breaks a rule; S3 says when an edit turns the server off. */
    'servers.update': call(z.object({ id: ServerIdSchema, draft: ServerDraftSchema }), nothing),
    'servers.remove': call(z.object({ id: ServerIdSchema }), nothing),
    /** Opens a folder picker of the system, then adds the bundled filesystem server on that folder, off. */
    'servers.addSample': call(nothing, z.object({ id: ServerIdSchema.nullable() })),
    /** Opens a file picker of the system and reads another app's file; null when none was picked (S9). */
    'servers.readImport': call(nothing, z.object({ preview: ImportPreviewSchema.nullable() })),
    /** Adds the ticked rows of what was last read, off; a problem of one is no problem of the others. */
    'servers.import': call(
      z.object({ readingId: z.string().max(64), ticked: z.array(z.number().int().min(0).max(49)).max(50) }),
      z.object({ added: z.number(), problems: z.array(z.string()) }),
    ),
    /** The same for the text of a file that was dropped on the page, by the name it came with. */
    'servers.readDropped': call(
      z.object({ file: z.string().min(1).max(300), text: z.string().max(MAX_DROPPED_LENGTH) }),
      z.object({ preview: ImportPreviewSchema }),
    ),
    /** Opens a folder picker of the system; what the files of the folder list is off (T3). */
    'workspaces.open': call(nothing, z.object({ folder: z.string().nullable() })),
    /** Its servers go with it. */
    'workspaces.close': call(WorkspaceAskSchema, nothing),
    /** From now on what its files list can be reviewed, one launch at a time. */
    'workspaces.trust': call(WorkspaceAskSchema, nothing),
    /** Every server of it stops and asks before it starts again (T4). */
    'workspaces.revoke': call(WorkspaceAskSchema, nothing),
    /** Puts the launch review on the screen; resolves once it is answered. */
    'servers.review': call(z.object({ id: ServerIdSchema }), z.object({ looking: z.boolean() })),
    /** Pins the ticked definitions and turns the server on. Refused unless it is being looked at or already on. */
    'servers.turnOn': call(
      z.object({
        id: ServerIdSchema,
        tools: z.array(z.object({ rawName: z.string().max(1024), digest: DigestSchema })).max(5000),
        /** Of its instructions, where they were on the screen too. */
        instructions: DigestSchema.optional(),
      }),
      nothing,
    ),
    'servers.turnOff': call(z.object({ id: ServerIdSchema }), nothing),
    /** Forgets the approval; the server is stopped and asks before it starts again (T4). */
    'servers.revoke': call(z.object({ id: ServerIdSchema }), nothing),
    /** Stops every server and forgets every approval, review and grant; each asks before it starts again (T4). */
    'servers.revokeEverything': call(nothing, nothing),
    'servers.retry': call(z.object({ id: ServerIdSchema }), nothing),
    /** Changes nothing of what was approved (S3). Refused with a sentence when one is out of bounds. */
    'servers.setLimits': call(z.object({ id: ServerIdSchema, limits: LimitsDraftSchema }), nothing),
    /** Another transport is another thing to approve, another era is not (S3, T2). */
    'servers.setWire': call(z.object({ id: ServerIdSchema, wire: WireChoiceSchema }), nothing),
    /** Runs the user's login shell once, to ask it where a program lies (W7). */
    'programs.lookInShell': call(z.object({ command: z.string().max(256) }), z.object({ path: z.string() })),
    'servers.log': call(z.object({ id: ServerIdSchema }), z.object({ lines: z.array(ServerLogLineSchema) })),
    /** Switches one reviewed tool on or off. Turning on needs the digest that was on the screen. */
    'tools.setOffered': call(
      z.object({ serverId: ServerIdSchema, rawName: z.string().max(1024), offered: z.boolean(), digest: DigestSchema }),
      nothing,
    ),
    /** The user's own mark on a reviewed tool: others' text in a chat does not make it ask. Marking needs a person (A6). */
    'tools.setReadsOnly': call(
      z.object({ serverId: ServerIdSchema, rawName: z.string().max(1024), readsOnly: z.boolean(), digest: DigestSchema }),
      nothing,
    ),
    /** The schema a form is made from, treated for showing. */
    'tools.describe': call(
      z.object({ serverId: ServerIdSchema, rawName: z.string().max(1024) }),
      z.object({
        inputSchema: z.record(z.string(), JsonSchema),
        definitionText: z.string(),
        /** How it differs from what was reviewed; null when it does not, or was not reviewed (R4). */
        diff: DefinitionDiffSchema.nullable(),
      }),
    ),
    /** Settles several tools at once, each for the definition that was on the screen: all of them or none (R4). */
    'tools.review': call(
      z.object({
        serverId: ServerIdSchema,
        tools: z.array(z.object({ rawName: z.string().max(1024), digest: DigestSchema, offered: z.boolean() })).max(5000),
        instructions: DigestSchema.optional(),
      }),
      nothing,
    ),
    /** What a server says to models of itself, beside what was reviewed of it. */
    'servers.instructions': call(z.object({ id: ServerIdSchema }), ShownInstructionsSchema),
    /** The user's switch: models are told the reviewed instructions, or nothing (R5). Turning on needs the digest that was on the screen. */
    'servers.tellInstructions': call(z.object({ id: ServerIdSchema, digest: DigestSchema, told: z.boolean() }), nothing),
    /** Runs one tool by hand through the same road as a model's call. Resolves when the call is accepted, not when it ends. */
    'tools.run': call(
      z.object({
        conversationId: ConversationIdSchema,
        serverId: ServerIdSchema,
        rawName: z.string().max(1024),
        argumentsText: z.string().max(4_000_000),
      }),
      z.object({ callId: z.string() }),
    ),
    'tools.cancel': call(z.object({ conversationId: ConversationIdSchema, callId: z.string().max(200) }), nothing),
    'approvals.answer': call(
      z.object({ id: ApprovalIdSchema, digest: DigestSchema, nonce: NonceSchema, answer: ApprovalAnswerSchema }),
      nothing,
    ),
    /** One argument of the copy on the sheet as it can be edited; null is all of them as one JSON text (A5). */
    'approvals.editable': call(sheetPart, EditableTextSchema),
    /** Freezes a changed copy and puts it on the sheet under a new digest and nonce. A sentence when it does not fit the tool. */
    'approvals.edit': call(sheetPart.extend({ text: z.string().max(4_000_000) }), nothing),
    'grants.revoke': call(z.object({ id: GrantIdSchema }), nothing),
    'grants.revokeAll': call(nothing, nothing),
    /** Whether a model's call of this one tool asks. "Allowed" needs a person, and the digest that was on the screen (A1). */
    'grants.setPolicy': call(
      z.object({
        serverId: ServerIdSchema,
        rawName: z.string().max(1024),
        policy: z.enum(['ask', 'allowed']),
        digest: DigestSchema,
      }),
      nothing,
    ),
    /** Lets a server that was refused too often be asked about in this chat again (A10). */
    'approvals.resume': call(z.object({ conversationId: ConversationIdSchema, serverId: ServerIdSchema }), nothing),
    /** Tells main that the sheet is in sight: arming counts from the first time (A5, A9). */
    'approvals.shown': call(z.object({ id: ApprovalIdSchema }), nothing),
    'conversations.create': call(nothing, z.object({ id: ConversationIdSchema })),
    'conversations.open': call(z.object({ id: ConversationIdSchema }), z.object({ entries: z.array(ConversationEntrySchema) })),
    'conversations.rename': call(z.object({ id: ConversationIdSchema, title: z.string().trim().min(1).max(200) }), nothing),
    /** In one chat, for this run: the app's own tools skip their questions (A4). Switching it on needs a person. */
    'conversations.setAutopilot': call(z.object({ id: ConversationIdSchema, on: z.boolean() }), nothing),
    'conversations.delete': call(z.object({ id: ConversationIdSchema }), nothing),
    'chat.send': call(
      z
        .object({
          id: ConversationIdSchema,
          modelId: ModelIdSchema,
          text: z.string().max(1_000_000),
          /** Fetched from their servers before the message goes out. */
          attachments: z.array(AttachmentAskSchema).max(MAX_ATTACHMENTS),
        })
        .refine(({ text, attachments }) => text !== '' || attachments.length > 0),
      nothing,
    ),
    'chat.stop': call(z.object({ id: ConversationIdSchema }), nothing),
    /** The whole treated text behind a handle, for the transcript's "show all". */
    'chat.readOutput': call(
      z.object({ id: ConversationIdSchema, handle: z.string().max(64), offset: z.number().int().min(0) }),
      z.object({ text: z.string(), nextOffset: z.number().nullable(), total: z.number() }),
    ),
    'models.add': call(ModelDraftSchema, z.object({ id: ModelIdSchema })),
    'models.update': call(z.object({ id: ModelIdSchema, draft: ModelDraftSchema }), nothing),
    'models.remove': call(z.object({ id: ModelIdSchema }), nothing),
    'models.setOn': call(z.object({ id: ModelIdSchema, on: z.boolean() }), nothing),
    'egress.erase': call(nothing, z.object({ erased: z.number() })),
    /** Begins the sign-in a server asked for; resolves when it is over. Each step is asked by a sheet of its own (K2). */
    'signIn.start': call(z.object({ id: ServerIdSchema }), nothing),
    'signIn.cancel': call(z.object({ id: ServerIdSchema }), nothing),
    'signIn.signOut': call(z.object({ id: ServerIdSchema }), nothing),
    'signIn.client': call(z.object({ id: ServerIdSchema }), ShownSignInClientSchema),
    'signIn.setClient': call(z.object({ id: ServerIdSchema, client: SignInClientDraftSchema }), nothing),
    'shell.ready': call(nothing, nothing),
  },
  /** Main publishes the whole current value; the window mirrors it. */
  views: {
    shell: ShellViewSchema,
    servers: z.array(ServerRowSchema),
    /** The folders the person opened, and what their files list. */
    workspaces: z.array(WorkspaceRowSchema),
    tools: z.array(ToolRowSchema),
    /** What can be attached to a message: last known, of servers that are on. */
    attachables: z.array(AttachableRowSchema),
    approvals: z.array(ApprovalRequestSchema),
    /** What runs without asking, and what stands in the file for it and does not. */
    grants: GrantsViewSchema,
    conversations: z.array(ConversationSummarySchema),
    models: z.array(ModelRowSchema),
    egress: EgressViewSchema,
  },
  /** Main streams pieces that are too frequent to resend whole. */
  feeds: {
    conversation: ConversationFeedSchema,
  },
} as const;

type Calls = typeof contract.calls;
type Views = typeof contract.views;
type Feeds = typeof contract.feeds;
export type CallName = keyof Calls;
export type ViewName = keyof Views;
export type FeedName = keyof Feeds;
export type CallInput<N extends CallName> = z.output<Calls[N]['input']>;
export type CallOutput<N extends CallName> = z.output<Calls[N]['output']>;
export type ViewValue<N extends ViewName> = z.output<Views[N]>;
export type FeedValue<N extends FeedName> = z.output<Feeds[N]>;

export interface CallProblem {
  code: 'invalid-input' | 'refused' | 'not-found' | 'unexpected';
  /** Shown to the user as it stands. */
  message: string;
}

export type CallHandlers = {
  [N in CallName]: (input: CallInput<N>) => Promise<Result<CallOutput<N>, CallProblem>>;
};
