import type { ToolClaims } from '../../src-shared/tools/tool.schema';
import type { IconName } from '../ui/Icon';
import type { GateRole } from '../ui/State';

export interface ClaimWords {
  role: GateRole;
  icon: IconName;
  words: string;
}

/** What the server claims of its tool, named as a claim (A3). The strictest comes first. */
export function claimWords(claims: ToolClaims): ClaimWords[] {
  const words: ClaimWords[] = [];
  if (claims.destructive === true) words.push({ role: 'stop', icon: 'warning', words: 'destroys, says the server' });
  if (claims.readOnly === true) words.push({ role: 'plain', icon: 'check', words: 'read-only, says the server' });
  if (claims.readOnly === false && claims.destructive !== true)
    words.push({ role: 'plain', icon: 'pencil', words: 'not read-only' });
  if (words.length === 0)
    words.push({ role: 'plain', icon: 'pencil', words: 'the server does not say whether it changes things' });
  return words;
}
