import type { ServerAbout } from '../../src-shared/servers/server-about.schema';
import { countOf } from '../ui/format';

/** What waits for a look: "2 tools changed, 1 new". Empty when nothing does (R4). */
export function reviewWords({ review, instructions }: Pick<ServerAbout, 'review' | 'instructions'>): string {
  const { changed, added, gone } = review;
  const waiting: string[] = [];
  if (changed > 0) waiting.push(`${countOf(changed, 'tool')} changed`);
  if (added > 0) waiting.push(changed > 0 ? `${added} new` : countOf(added, 'new tool'));
  if (gone > 0) waiting.push(`${countOf(gone, 'tool is', 'tools are')} not listed any more`);
  if (instructions.state === 'changed') waiting.push('its instructions changed');
  if (instructions.state === 'new') waiting.push('it has new instructions');
  return waiting.join(', ');
}

/** "about 1.7k tokens": a count that is right to about a hundredth is not shown to the digit (R7). */
export function tokenWords(tokens: number): string {
  if (tokens < 1000) return `about ${countOf(tokens, 'token')}`;
  return `about ${(tokens / 1000).toFixed(tokens < 10_000 ? 1 : 0)}k tokens`;
}
