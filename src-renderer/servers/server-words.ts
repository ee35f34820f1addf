import { assertNever } from '../../src-shared/base/assert-never';
import type { ServerLogLine, ServerRow, ServerSource, ServerStatus } from '../../src-shared/servers/server.schema';
import type { ToolClaims, ToolRow, ToolState } from '../../src-shared/tools/tool.schema';
import type { IconName } from '../ui/Icon';
import { countOf, formatClockWithSeconds } from '../ui/format';
import { reviewWords, tokenWords } from './review-words';
import type { GateRole } from '../ui/State';

interface StateWords {
  role: GateRole;
  /** Null draws nothing; left out draws what belongs to the role. */
  icon?: IconName | null;
  words: string;
}

const UP: Pick<StateWords, 'icon'> = { icon: 'check' };

/** Where a server stands, in words. */
export function stateWords(row: Pick<ServerRow, 'status' | 'leaves' | 'about'>): StateWords {
  const { status } = row;
  const open: GateRole = row.leaves ? 'leave' : 'stay';
  switch (status.kind) {
    case 'on':
      if (reviewWords(row.about) !== '') return { role: 'wait', words: `needs review: ${reviewWords(row.about)}` };
      return { role: open, ...UP, words: onWords(status) };
    case 'starting':
      return { role: 'off', icon: null, words: 'starting…' };
    case 'looking':
      return status.phase === 'starting'
        ? { role: 'off', icon: null, words: 'starting, to look at its tools…' }
        : { role: 'wait', words: 'looking at its tools' };
    case 'off':
      return { role: 'off', words: 'off' };
    case 'needs-review':
      return { role: 'wait', words: `needs review: ${BECAUSE[status.because]}` };
    case 'needs-name':
      return { role: 'wait', icon: 'pencil', words: 'needs a short name' };
    case 'refused':
      return { role: 'stop', words: `refused: ${status.reason}` };
    case 'failed':
      return { role: 'stop', icon: 'warning', words: `failed: ${status.problem}` };
    default:
      return assertNever(status);
  }
}

const onWords = (status: Extract<ServerStatus, { kind: 'on' }>): string => (status.connected ? 'on' : 'on · not started yet');

const BECAUSE: Record<Extract<ServerStatus, { kind: 'needs-review' }>['because'], string> = {
  'never-approved': 'never approved',
  'changed-since-approved': 'changed since you approved it',
};

/** Where it runs or goes, in the gate's words. */
export function whereWords(row: Pick<ServerRow, 'connection' | 'leaves' | 'where'>): string {
  if (row.leaves) return `leaves to ${row.where}`;
  return row.connection?.kind === 'http' ? 'stays here' : 'runs here';
}

/** The rest of the line under a server's name: what is not said by where it goes. */
export function factWords(
  row: Pick<ServerRow, 'connection' | 'leaves' | 'where' | 'status' | 'source' | 'toolsOffered' | 'toolsTotal' | 'about'>,
): string[] {
  const facts: string[] = [];
  if (row.connection?.kind === 'http' && !row.leaves) {
    if (row.where !== '') facts.push(row.where);
    facts.push('another program on this computer receives it');
  }
  if (row.status.kind === 'on') facts.push(offeredWords(row.toolsOffered, row.toolsTotal));
  else if (row.toolsTotal > 0) facts.push(countOf(row.toolsTotal, 'tool'));
  const { tokens } = row.about;
  // What is off costs nothing (R7).
  if (row.status.kind === 'on' && row.toolsOffered > 0 && tokens !== undefined) facts.push(tokenWords(tokens));
  const origin = originWords(row.source);
  return origin === null ? facts : [...facts, origin];
}

function offeredWords(offered: number, total: number): string {
  if (total === 0) return 'no tools';
  return offered === total ? countOf(total, 'tool') : `${offered} of ${countOf(total, 'tool')}`;
}

const lastPart = (path: string): string => path.split(/[/\\]/).findLast((part) => part !== '') ?? path;

/** Where an entry came from; null for one that the user typed, which needs no remark. */
function originWords(source: ServerSource): string | null {
  switch (source.kind) {
    case 'you':
      return null;
    case 'sample':
      return 'the sample';
    case 'imported':
      return `imported from ${lastPart(source.file)}`;
    case 'workspace':
      return `from the workspace ${lastPart(source.folder)}`;
    case 'this-run':
      return `for this run, from ${lastPart(source.file)}`;
    default:
      return assertNever(source);
  }
}

/** Who brought an entry, to stand after "added by" (S8). */
export function sourceWords(source: ServerSource): string {
  switch (source.kind) {
    case 'you':
      return 'you';
    case 'sample':
      return 'you, as the sample server';
    case 'imported':
      return `an import from ${source.file}`;
    case 'workspace':
      return source.file === undefined ? `the workspace ${source.folder}` : `${source.file} of the workspace ${source.folder}`;
    case 'this-run':
      return `the file ${source.file}, for this run`;
    default:
      return assertNever(source);
  }
}

interface ClaimChip {
  look: 'plain' | 'warn';
  words: string;
}

/** What a server claims of a tool, as chips under "The server says" (A3). The strictest comes first. */
export function claimChips(claims: ToolClaims): ClaimChip[] {
  const chips: ClaimChip[] = [];
  if (claims.destructive === true) chips.push({ look: 'warn', words: 'destructive' });
  if (claims.readOnly === true) chips.push({ look: 'plain', words: 'read-only' });
  if (claims.readOnly === false && claims.destructive !== true) chips.push({ look: 'plain', words: 'changes things' });
  if (claims.destructive === false && claims.readOnly !== true) chips.push({ look: 'plain', words: 'deletes nothing' });
  if (claims.idempotent === true) chips.push({ look: 'plain', words: 'repeatable' });
  if (claims.openWorld === true) chips.push({ look: 'plain', words: 'reaches other systems' });
  return chips;
}

const TOOL_STATES: Record<ToolState, StateWords | null> = {
  on: null,
  off: { role: 'off', words: 'off' },
  new: { role: 'wait', words: 'new' },
  changed: { role: 'wait', words: 'changed' },
  gone: { role: 'off', words: 'not listed any more' },
  refused: { role: 'stop', words: 'refused' },
  skipped: { role: 'stop', words: 'skipped' },
};

/** Where a tool stands; null for one that is offered, which its switch says. */
export const toolStateWords = (state: ToolState): StateWords | null => TOOL_STATES[state];

const LOG_FROM: Record<ServerLogLine['from'], string> = {
  stderr: 'the server',
  'stdout-noise': 'the server, among its answers',
  message: 'the server, as a log message',
  app: 'Portcullis',
};

export const logFromWords = (from: ServerLogLine['from']): string => LOG_FROM[from];

/** A log as it is copied: one line each, with its time and who said it. */
export const logAsText = (lines: readonly ServerLogLine[]): string =>
  lines.map(({ at, from, text }) => `${new Date(at).toISOString()} ${logFromWords(from)}: ${text}`).join('\n');

/** When a server that is down is tried again by itself. */
export const retryWords = (retryAt: number | undefined): string =>
  retryAt === undefined
    ? 'The next call tries it again.'
    : `The next call tries it again, from ${formatClockWithSeconds(retryAt)} on.`;

/** `Turn on with 3 tools`: what the button is about to do. */
export const turnOnWords = (ticked: number): string =>
  ticked === 0 ? 'Turn on without tools' : `Turn on with ${countOf(ticked, 'tool')}`;

const folded = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** What stands under a tool's name: its title where that says more than the name does, and its description. */
export function toolText(tool: Pick<ToolRow, 'rawName' | 'title' | 'description'>): { title: string; rest: string } {
  const title = folded(tool.title) === folded(tool.rawName) ? '' : tool.title.trim();
  const rest = tool.description.trim();
  return { title, rest: title !== '' && rest !== '' ? ` · ${rest}` : rest };
}
