import type { NotRunReason, ToolOutcome } from '../../src-shared/tools/tool.schema';

const WORDS: Record<NotRunReason, string> = {
  rule: 'not run: this tool is not on',
  user: 'not run: you said no',
  'nobody-answered': 'not run: nobody answered',
  cancelled: 'not run: stopped',
  'too-many-waiting': 'not run: too many calls were waiting',
  paused: 'not run: its server is paused in this chat',
  'bad-arguments': 'not run: the arguments did not fit',
  'unknown-tool': 'not run: there is no such tool',
};

/** The few words at the end of a tool line that did not run. */
export const notRunWords = (outcome: ToolOutcome): string => (outcome.why ? WORDS[outcome.why] : 'not run');
