import type {
  ApprovalRequest,
  LaunchApproval,
  QuestionApproval,
  ToolApproval,
  VisibleText,
} from '../../src-shared/approvals/approval.schema';
import type { ConversationEntry, ConversationId } from '../../src-shared/conversations/conversation.schema';
import type { ViewValue } from '../../src-shared/ipc/contract';
import { NOTHING_ABOUT } from '../../src-shared/servers/server-about.schema';
import type { ServerId, ServerRow } from '../../src-shared/servers/server.schema';
import { DEFAULT_LIMITS } from '../../src-shared/servers/server.schema';
import type { ToolOutcome, ToolRow } from '../../src-shared/tools/tool.schema';

const NOW = Date.now();
const MINUTE = 60_000;
const DAY = 86_400_000;
export const LONG_NAME = 'Company knowledge base and policy search, Berlin office, read only, '.repeat(5).slice(0, 300);
export const RIGHT_TO_LEFT = 'סיכום הפגישה מיום שלישי';

export const text = (value: string): VisibleText => [{ kind: 'text', text: value }];
const digest = 'a'.repeat(64) as NonNullable<ToolRow['digest']>;

export const sampleIds = {
  chat: 'chat-1' as ConversationId,
  otherChat: 'chat-2' as ConversationId,
  files: 'files' as ServerId,
  issues: 'issues' as ServerId,
  notes: 'notes' as ServerId,
  pages: 'pages' as ServerId,
  calendar: 'calendar' as ServerId,
  long: 'long' as ServerId,
  ledger: 'ledger' as ServerId,
};

const stdio = (command: string, ...args: string[]): ServerRow['connection'] => ({
  kind: 'stdio',
  command,
  args: args.map((value) => ({ kind: 'literal', value })),
  env: [
    { name: 'LANG', value: { kind: 'literal', value: 'en_GB.UTF-8' } },
    { name: 'GITHUB_TOKEN', value: { kind: 'secret', ref: 'secret-1' as never } },
  ],
});
const http = (endpoint: string): ServerRow['connection'] => ({
  kind: 'http',
  endpoint,
  headers: [{ name: 'Authorization', value: { kind: 'secret', ref: 'secret-2' as never } }],
});

export const serverRow = (row: Partial<ServerRow> & Pick<ServerRow, 'id' | 'name'>): ServerRow => ({
  namespace: row.id,
  connection: stdio('npx', '-y', '@modelcontextprotocol/server-filesystem@2026.8.31', '/home/you/q3'),
  source: { kind: 'you' },
  addedAt: NOW - 3 * DAY,
  enabled: false,
  status: { kind: 'off' },
  leaves: false,
  where: '/usr/bin/npx',
  approvedAt: null,
  pid: null,
  runningSince: null,
  toolsOffered: 0,
  toolsTotal: 0,
  signIn: 'not-asked',
  toolsToReview: 0,
  about: NOTHING_ABOUT,
  limits: { ...DEFAULT_LIMITS },
  ...row,
});

const on = { kind: 'on', connected: true } as const;
export const servers: ViewValue<'servers'> = [
  serverRow({
    id: sampleIds.files,
    name: 'files',
    enabled: true,
    status: on,
    toolsOffered: 5,
    toolsTotal: 8,
    toolsToReview: 1,
    approvedAt: NOW - 2 * DAY,
    pid: 4711,
    runningSince: NOW - 40 * MINUTE,
  }),
  serverRow({
    id: sampleIds.issues,
    name: 'issues',
    enabled: true,
    status: on,
    leaves: true,
    where: 'tracker.example.com',
    connection: http('https://tracker.example.com/mcp'),
    toolsOffered: 9,
    toolsTotal: 9,
    approvedAt: NOW - DAY,
  }),
  serverRow({
    id: sampleIds.notes,
    name: 'notes',
    enabled: true,
    status: {
      kind: 'failed',
      problem: 'notes did not answer on this computer. Start it, then choose Retry.',
      log: ['listening failed: port in use'],
    },
    where: '127.0.0.1:3000',
    connection: http('http://127.0.0.1:3000/mcp'),
    toolsTotal: 6,
  }),
  serverRow({
    id: sampleIds.calendar,
    name: 'calendar',
    enabled: true,
    status: { kind: 'looking', phase: 'ready' },
    leaves: true,
    where: 'mcp.calendar.example',
    connection: http('https://mcp.calendar.example/'),
    toolsTotal: 3,
  }),
  serverRow({
    id: sampleIds.pages,
    name: 'pages',
    status: { kind: 'needs-review', because: 'changed-since-approved' },
    leaves: true,
    where: 'wiki.example.com',
    connection: http('https://wiki.example.com/mcp'),
    toolsTotal: 11,
  }),
  serverRow({
    id: sampleIds.long,
    name: LONG_NAME,
    namespace: 'company',
    source: { kind: 'imported', file: '/home/you/claude_desktop_config.json' },
  }),
  serverRow({
    id: 'rtl' as ServerId,
    name: RIGHT_TO_LEFT,
    namespace: null,
    status: { kind: 'needs-name', suggestion: 'meeting' },
  }),
  serverRow({
    id: sampleIds.ledger,
    name: 'ledger',
    status: { kind: 'refused', reason: 'Use an https address. Plain http works only for servers on this computer.' },
    leaves: true,
    where: 'ledger.example.com',
    connection: null,
    source: { kind: 'imported', file: '.vscode/mcp.json' },
  }),
];

export const toolRow = (serverId: ServerId, rawName: string, description: string, row: Partial<ToolRow> = {}): ToolRow => ({
  serverId,
  rawName,
  published: `${serverId}__${rawName}`,
  title: '',
  description,
  claims: {},
  state: 'on',
  why: '',
  digest,
  ...row,
});

export const tools: ViewValue<'tools'> = [
  toolRow(sampleIds.files, 'read_text_file', 'Read a file as text, whole or its first or last lines', {
    claims: { readOnly: true },
  }),
  toolRow(sampleIds.files, 'list_directory', 'List the files and folders in one folder', { claims: { readOnly: true } }),
  toolRow(sampleIds.files, 'search_files', 'Find files whose names match a pattern, in a folder and every folder below it', {
    claims: { readOnly: true },
  }),
  toolRow(sampleIds.files, 'write_file', 'Create a file, or replace what it holds', {
    claims: { destructive: true, idempotent: true },
  }),
  toolRow(sampleIds.files, 'edit_file', 'Replace lines in a text file and return a diff', { claims: { destructive: true } }),
  toolRow(sampleIds.files, 'move_file', 'Move or rename a file or folder', {
    claims: { destructive: true },
    state: 'changed',
    why: 'Its description changed since you looked.',
  }),
  toolRow(sampleIds.files, 'directory_tree', 'The whole tree below a folder, as JSON', {
    claims: { readOnly: true },
    state: 'off',
    why: 'You switched it off.',
  }),
  toolRow(sampleIds.files, 'get file info', 'Size, times and rights of a file or folder', {
    state: 'refused',
    published: null,
    why: 'It has the same published name as get_file_info.',
  }),
  toolRow(sampleIds.issues, 'create_issue', 'Open an issue', { claims: { openWorld: true } }),
  ...['list_events', 'create_event', 'delete_event'].map((name) =>
    toolRow(sampleIds.calendar, name, 'Works on the calendar of the account', {
      state: 'new',
      claims: name.startsWith('list') ? { readOnly: true } : { destructive: name.startsWith('delete') },
    }),
  ),
];

export const toolApproval = (change: Partial<ToolApproval> = {}): ToolApproval => ({
  kind: 'tool-call',
  id: 'approval-1' as ApprovalRequest['id'],
  nonce: '0'.repeat(32) as ApprovalRequest['nonce'],
  digest,
  askedAt: NOW,
  expiresAt: NOW + 5 * MINUTE,
  serverId: sampleIds.issues,
  serverName: 'issues',
  namespace: 'issues',
  where: 'tracker.example.com',
  leaves: true,
  toolName: text('create_issue'),
  typedName: 'create_issue',
  caller: 'model',
  conversationId: sampleIds.chat,
  claims: {},
  strength: 'ask',
  offers: ['once', 'this-chat'],
  arguments: [
    {
      name: text('title'),
      type: 'text',
      bytes: 20,
      value: [...text('Gate fails on rename'), { kind: 'escape', text: '\\u202e' }, ...text('txt')],
    },
    {
      name: text('body'),
      type: 'text',
      bytes: 2400,
      value: text(
        `Steps:\n1. Open a folder that the files server may read.\n2. Rename it in the file manager.\n\n${'Expected: a sentence that the folder is gone, and the gate stays shut.\n'.repeat(14)}`,
      ),
    },
    { name: text('labels'), type: 'list of 2', bytes: 15, value: text('["bug", "gate"]') },
  ],
  argumentsText: text('{"title":"Gate fails on rename","labels":["bug","gate"]}'),
  argumentsBytes: 2480,
  because: ['Every call asks until you allow it for this chat.', 'The server does not say whether this tool changes things.'],
  ...change,
});

export const launchApproval = (change: Partial<LaunchApproval> = {}): LaunchApproval => ({
  kind: 'launch',
  id: 'approval-9' as ApprovalRequest['id'],
  nonce: '1'.repeat(32) as ApprovalRequest['nonce'],
  digest,
  askedAt: NOW,
  expiresAt: NOW + 5 * MINUTE,
  serverId: sampleIds.files,
  serverName: 'files',
  namespace: 'files',
  where: '/usr/bin/npx',
  leaves: false,
  source: { kind: 'you' },
  addedAt: NOW - 20_000,
  changedSince: null,
  plan: {
    kind: 'stdio',
    command: text('npx'),
    realPath: text('/usr/lib/node_modules/npm/bin/npx-cli.js'),
    args: [
      { kind: 'shown', value: text('-y') },
      { kind: 'shown', value: text('@modelcontextprotocol/server-filesystem') },
      { kind: 'shown', value: [...text('/home/you/q3'), { kind: 'escape', text: '\\u200b' }] },
      { kind: 'secret' },
    ],
    cwd: text('/home/you'),
    env: [
      { name: text('PATH'), value: { kind: 'shown', value: text('/usr/local/bin:/usr/bin') }, from: 'this-computer' },
      { name: text('LANG'), value: { kind: 'shown', value: text('en_GB.UTF-8') }, from: 'this-computer' },
      { name: text('GITHUB_TOKEN'), value: { kind: 'secret' }, from: 'entry' },
      { name: text('NODE_OPTIONS'), value: { kind: 'shown', value: text('--require ./x.js') }, from: 'entry' },
    ],
    flags: [
      { on: { kind: 'argument', index: 1 }, text: 'no fixed version: what runs can change from one start to the next' },
      { on: { kind: 'variable', name: 'NODE_OPTIONS' }, text: 'changes what runs' },
    ],
  },
  ...change,
});

export const outcome = (change: Partial<ToolOutcome> = {}): ToolOutcome => ({
  kind: 'answered',
  forModel: '<tool_output server="files" tool="read_text_file" id="3f9a">\n# Standup, 2 September\n</tool_output id="3f9a">',
  forPerson:
    '# Standup, 2 September\nGate fails when a folder is renamed while it is open. Nobody has looked at it.\nImport: begun. Pricing page: done Friday.',
  parts: [],
  removedCharacters: 3,
  ms: 120,
  bytesOut: 96,
  bytesIn: 412,
  allowedBy: 'you, for this chat, at 14:02',
  ...change,
});

type CallEntry = Extract<ConversationEntry, { kind: 'tool-call' }>;
export const callEntry = (n: number, change: Partial<CallEntry> = {}): CallEntry => ({
  kind: 'tool-call',
  id: `entry-call-${n}` as ConversationEntry['id'],
  at: NOW - MINUTE,
  callId: `call-${n}`,
  caller: 'model',
  name: 'files__read_text_file',
  serverId: sampleIds.files,
  serverName: 'files',
  toolName: 'read_text_file',
  where: '/usr/bin/npx',
  leaves: false,
  argumentsText: '{ "path": "/home/you/q3/2026-09-02 standup.md", "head": 20 }',
  ...change,
});
export const resultEntry = (n: number, change: Partial<ToolOutcome> = {}): ConversationEntry => ({
  kind: 'tool-result',
  id: `entry-result-${n}` as ConversationEntry['id'],
  at: NOW,
  callId: `call-${n}`,
  outcome: outcome(change),
});
export const userEntry = (n: number, words: string): ConversationEntry => ({
  kind: 'user',
  id: `entry-user-${n}` as ConversationEntry['id'],
  at: NOW,
  text: words,
});
export const assistantEntry = (
  n: number,
  words: string,
  change: Partial<Extract<ConversationEntry, { kind: 'assistant' }>> = {},
): ConversationEntry => ({
  kind: 'assistant',
  id: `entry-assistant-${n}` as ConversationEntry['id'],
  at: NOW,
  text: words,
  model: 'qwen3',
  finish: 'done',
  sent: [],
  ...change,
});

export const entries: ConversationEntry[] = [
  userEntry(1, 'Summarise the notes in /home/you/q3 and open an issue for anything that nobody owns yet.'),
  callEntry(1, { toolName: 'list_directory' }),
  resultEntry(1, { bytesIn: 1200 }),
  callEntry(2),
  resultEntry(2, { outputHandle: 'handle-1' }),
  callEntry(3, {
    serverName: 'pages',
    toolName: 'delete_page',
    serverId: sampleIds.pages,
    leaves: true,
    where: 'wiki.example.com',
  }),
  resultEntry(3, {
    kind: 'not-run',
    why: 'user',
    bytesOut: 0,
    bytesIn: 0,
    ms: 0,
    forPerson: 'The user did not run it: not that one.',
  }),
  assistantEntry(
    1,
    'One item has no owner. The rest is **settled**:\n\n- Renaming an open folder breaks the gate. No owner, seen on 2 September.\n- The import has begun; see [the page](https://wiki.example.com/p?id=1).\n\n![chart](https://evil.example/x.png)\n\n| who | what |\n| --- | ---: |\n| import | begun |\n\n```ts\nconst gate = "down";\n```',
    { sent: [{ host: 'api.provider.example', bytesOut: 3100, leaves: true }] },
  ),
  callEntry(4, {
    serverName: 'issues',
    toolName: 'create_issue',
    serverId: sampleIds.issues,
    leaves: true,
    where: 'tracker.example.com',
  }),
];

export const conversations: ViewValue<'conversations'> = [
  ['chat-1', 'Quarterly notes', 0, 1],
  ['chat-2', 'Trip plan: Lisbon by train', 0.01, 0],
  ['chat-3', 'Release checklist 4.2', 1, 0],
  ['chat-4', RIGHT_TO_LEFT, 1, 0],
  ['chat-5', LONG_NAME.slice(0, 190), 5, 0],
  ['chat-6', 'Onboarding page, second draft', 40, 0],
].map(([id, title, days, waiting]) => ({
  id: id as ConversationId,
  title: String(title),
  createdAt: NOW - Number(days) * DAY,
  updatedAt: NOW - Number(days) * DAY,
  busy: id === 'chat-1',
  waiting: Number(waiting),
  autopilot: false,
  paused: [],
}));

export const models: ViewValue<'models'> = [
  {
    id: 'model-1' as never,
    name: 'Provider',
    endpoint: 'https://api.provider.example/v1',
    model: 'large-2026',
    hasKey: true,
    on: true,
    leaves: true,
    host: 'api.provider.example',
    refused: null,
  },
  {
    id: 'model-2' as never,
    name: 'Ollama',
    endpoint: 'http://127.0.0.1:11434/v1',
    model: 'qwen3:8b',
    hasKey: false,
    on: false,
    leaves: false,
    host: '127.0.0.1:11434',
    refused: null,
  },
];

const route = (
  id: string,
  kind: ViewValue<'egress'>['routes'][number]['kind'],
  name: string,
  isOn: boolean,
  leaves: boolean,
  where: string,
  sends: string,
) => ({
  id: id as never,
  kind,
  name,
  origin: leaves ? `https://${where}` : null,
  pathPrefix: '/',
  on: isOn,
  leaves,
  where,
  sends,
  switchable: kind !== 'keychain' && kind !== 'single-instance-socket',
});
const days = (scale: number) => Array.from({ length: 30 }, (_, day) => (day % 4 === 0 ? 0 : ((day * 37) % 17) * scale));
export const egress: ViewValue<'egress'> = {
  routes: [
    route(
      'model-1',
      'model',
      'Provider',
      true,
      true,
      'api.provider.example',
      'Your messages, the tools’ descriptions and their results.',
    ),
    route(
      'server-issues',
      'mcp-server',
      'issues',
      true,
      true,
      'tracker.example.com',
      'The arguments of the calls that you allow.',
    ),
    route('server-pages', 'mcp-server', 'pages', false, true, 'wiki.example.com', 'The arguments of the calls that you allow.'),
    route(
      'server-files',
      'local-program',
      'files',
      true,
      false,
      '/usr/bin/npx',
      'The arguments of the calls that you allow, to a program that can use the network itself.',
    ),
    route('keychain', 'keychain', 'Keychain', true, false, 'this computer’s keychain', 'One key that opens the secrets file.'),
  ],
  use: [
    { routeId: 'model-1' as never, times: 412, bytesOut: 3_900_000, bytesIn: 900_000, lastAt: NOW, days: days(9000) },
    { routeId: 'server-issues' as never, times: 57, bytesOut: 188_000, bytesIn: 2_000, lastAt: NOW - DAY, days: days(300) },
  ],
  ledger: [
    {
      attempt: '1',
      at: NOW,
      routeId: 'model-1',
      host: 'api.provider.example',
      address: '203.0.113.7',
      method: 'POST',
      outcome: 'answered',
      status: 200,
      bytesOut: 3100,
      bytesIn: 1900,
      ms: 800,
      conversation: 'chat-1',
    },
    {
      attempt: '2',
      at: NOW - MINUTE,
      routeId: '',
      host: 'telemetry.example.net',
      address: null,
      method: 'POST',
      outcome: 'refused',
      status: null,
      bytesOut: 0,
      bytesIn: 0,
      ms: null,
      conversation: 'chat-1',
    },
    {
      attempt: '3',
      at: NOW - DAY,
      routeId: 'server-issues',
      host: 'tracker.example.com',
      address: '203.0.113.9',
      method: 'POST',
      outcome: 'failed',
      status: 503,
      bytesOut: 260,
      bytesIn: 41,
      ms: 90,
      conversation: null,
    },
  ],
  ledgerCount: 496,
  chainProblem: null,
  erasedCount: 12,
};

export const questionApproval = (change: Partial<QuestionApproval> = {}): QuestionApproval => ({
  kind: 'question',
  id: 'approval-8' as ApprovalRequest['id'],
  nonce: '2'.repeat(32) as ApprovalRequest['nonce'],
  digest,
  askedAt: NOW,
  expiresAt: NOW + 5 * MINUTE,
  serverId: sampleIds.issues,
  serverName: 'issues',
  namespace: 'issues',
  where: 'tracker.example.com',
  leaves: true,
  conversationId: sampleIds.chat,
  toolName: text('create_issue'),
  message: 'Which project is it for?',
  removedCharacters: 0,
  ask: { kind: 'form', schema: { type: 'object', properties: { project: { type: 'string' } }, required: ['project'] } },
  ...change,
});
