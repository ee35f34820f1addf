import { useState } from 'react';
import { describeClaims, offersFor } from '../../src-shared/approvals/approval-rule';
import type { ToolRow } from '../../src-shared/tools/tool.schema';
import { lastsWords } from '../grants/grant-words';
import { useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Confirm } from '../ui/Confirm';
import { Select } from '../ui/Field';
import { Problem } from '../ui/Note';

/** Whether a call of this tool asks. "Allowed" is a lasting grant for a model's calls, given behind a question of its own (A1). */
export function ToolPolicy({ tool }: { tool: ToolRow }) {
  const act = useAct();
  const [asking, setAsking] = useState(false);
  const keychain = useView('shell', (shell) => shell.keychain);
  const { serverId, rawName, digest, claims } = tool;
  const allowed = useView('grants', ({ rows }) =>
    rows.some((row) => row.serverId === serverId && row.rawName === rawName && row.reach.kind === 'always' && row.ended === null),
  );
  if (digest === null) return null;
  const set = async (policy: 'ask' | 'allowed') => {
    const outcome = await act.run('grants.setPolicy', { serverId, rawName, policy, digest });
    if (outcome.ok) setAsking(false);
  };
  const asksAlways = !offersFor({ reviewed: true, grant: 'none', caller: 'model', claims }).includes('always');
  return (
    <>
      <Select
        quiet
        aria-label={`Policy for ${rawName}`}
        title={asksAlways ? 'Its server calls it destructive, so it asks every time.' : undefined}
        value={allowed ? 'allowed' : 'ask'}
        disabled={act.busy || (asksAlways && !allowed)}
        onChange={(event) => {
          act.clear();
          if (event.target.value === 'allowed') setAsking(true);
          else void set('ask');
        }}
      >
        <option value="ask">Ask</option>
        <option value="allowed">Allowed</option>
      </Select>
      {!asking && <Problem text={act.problem} />}
      {asking && (
        <Confirm
          title={`Always allow ${rawName}?`}
          keep="Keep asking"
          act="Always for this tool"
          busy={act.busy}
          problem={act.problem}
          onKeep={() => setAsking(false)}
          onAct={() => void set('allowed')}
        >
          <p>{describeClaims(claims).join(' ')}</p>
          <p>
            When a model calls it, it runs without asking, in every chat. That ends when the tool changes, or what its server runs
            or contacts.
            {lastsWords(keychain)}
          </p>
        </Confirm>
      )}
    </>
  );
}
