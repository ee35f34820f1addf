import type { LaunchPlan } from '../../src-shared/approvals/approval.schema';
import { visibleToString } from '../../src-shared/base/visible-text';
import type { McpTestReport } from '../../src-shared/local-rpc/mcp-test-report.schema';

/** What is about to happen, in full: the literal command with every argument, or the address (T1). */
export function announce(plan: LaunchPlan): string {
  if (plan.kind === 'http') {
    const names = plan.headers.map(({ name }) => name).join(', ');
    return `Contacting ${plan.host}: ${visibleToString(plan.address)}${names === '' ? '' : ` with ${names}`}\n`;
  }
  const lines = [`Starting ${visibleToString(plan.realPath)}`];
  for (const [index, arg] of plan.args.entries()) {
    lines.push(`  argument ${index + 1}: ${arg.kind === 'shown' ? visibleToString(arg.value) : '(secret)'}`);
  }
  lines.push(`  in ${visibleToString(plan.cwd)}`);
  const set = plan.env.filter(({ from }) => from === 'entry').map(({ name }) => visibleToString(name));
  if (set.length > 0) lines.push(`  with ${set.join(', ')}`);
  for (const flag of plan.flags) lines.push(`  note: ${flag.text}`);
  return `${lines.join('\n')}\n`;
}

/** The report for a person who reads it in a terminal. */
export function inReadableText(report: McpTestReport): string {
  const lines: string[] = [];
  if (report.connected) lines.push(`Connected (${report.era === 'modern' ? 'stateless protocol' : 'protocol with a session'}).`);
  if (report.problem !== null) lines.push(report.problem);
  if (report.connected) lines.push(`${report.tools.length} ${report.tools.length === 1 ? 'tool' : 'tools'}:`);
  for (const { published, name, why } of report.tools) {
    lines.push(`  ${published ?? oneLine(name)}${why === '' ? '' : ` (not offered: ${oneLine(why)})`}`);
  }
  if (report.result) lines.push('', report.result.forModel);
  if (report.log.length > 0) lines.push('', 'Its log:', ...report.log.map((line) => `  ${line}`));
  return `${lines.join('\n')}\n`;
}

const oneLine = (text: string): string => text.replace(/\s+/g, ' ');
