import { useState, type FormEvent } from 'react';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import { AUTOMATIC_WIRE, type WireChoice } from '../../src-shared/servers/wire-choice.schema';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Field, Select } from '../ui/Field';
import { Problem } from '../ui/Note';
import form from './ServerForm.module.css';

const PROTOCOLS: Record<WireChoice['protocol'], string> = {
  auto: 'Automatic',
  'streamable-http': 'Streamable HTTP',
  sse: 'HTTP+SSE, the older one',
};
const ERAS: Record<WireChoice['era'], string> = {
  auto: 'Automatic',
  modern: 'Stateless, 2026-07-28',
  legacy: 'With a session, 2025-11-25 and before',
};

/** How one server is spoken to. Another transport asks for a review again, another era does not (S3, T2). */
export function WireForm({ server }: { server: Pick<ServerRow, 'id' | 'name' | 'connection' | 'wire'> }) {
  const act = useAct();
  const [chosen, setChosen] = useState<WireChoice>(server.wire ?? AUTOMATIC_WIRE);
  const [saved, setSaved] = useState(false);
  const choose = (part: Partial<WireChoice>) => {
    setSaved(false);
    setChosen({ ...chosen, ...part });
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setSaved((await act.run('servers.setWire', { id: server.id, wire: chosen })).ok);
  };
  return (
    <form aria-label={`How ${server.name} is spoken to`} className={form.limits} onSubmit={(event) => void save(event)}>
      {server.connection?.kind === 'http' && (
        <Field
          label="Transport"
          help="Automatic tries the older one where the newer one is not served. A change asks for your review again."
        >
          {(control) => (
            <Select
              {...control}
              value={chosen.protocol}
              onChange={(event) => choose({ protocol: event.target.value as WireChoice['protocol'] })}
            >
              {Object.entries(PROTOCOLS).map(([value, words]) => (
                <option key={value} value={value}>
                  {words}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <Field label="Protocol" help="For a server that takes the wrong one for right. Automatic asks it once and remembers.">
        {(control) => (
          <Select {...control} value={chosen.era} onChange={(event) => choose({ era: event.target.value as WireChoice['era'] })}>
            {Object.entries(ERAS).map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Problem text={act.problem} />
      <div className={form.answers}>
        <Button type="submit" disabled={act.busy}>
          Save how it is spoken to
        </Button>
        <span role="status">{saved && 'Saved.'}</span>
      </div>
    </form>
  );
}
