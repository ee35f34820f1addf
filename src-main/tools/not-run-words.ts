import { isPublishedName } from '../../src-shared/tools/publish-name-rule';
import type { Settled } from '../approvals/approval-broker';

/** For a name that no tool on offer carries (N5). */
export function unknownToolWords(name: string): string {
  return isPublishedName(name)
    ? `${name} belongs to a server that is off, gone, or no longer offers it. Its tools are listed in Settings, MCP servers.`
    : `There is no tool called ${name}.`;
}

/** For the model: asking again would ask nobody (A10). */
export const PAUSED_WORDS =
  'Several calls of this server were refused or not answered, so it is paused in this chat and this call was put to nobody. Go on without it until the user resumes it.';

/** Why nobody let a call run. */
export function refusalWords(settled: Extract<Settled, { kind: 'refused' }>): string {
  switch (settled.why) {
    case 'user':
      return settled.reason ? `The user did not want this call and said: ${settled.reason}` : 'The user did not want this call.';
    case 'nobody-answered':
      return 'Nobody answered in time, so the call was not run.';
    case 'cancelled':
      return 'It was stopped before anybody answered, so it was not run.';
    case 'too-many-waiting':
      return 'Too many calls were waiting for an answer already, so this one was not run. Ask for fewer at once.';
    case 'paused':
      return PAUSED_WORDS;
  }
}
