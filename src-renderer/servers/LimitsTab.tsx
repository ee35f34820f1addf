import { useState, type FormEvent } from 'react';
import { LIMIT_NAMES, LIMITS, readLimit, writeLimit } from '../../src-shared/servers/limits-rule';
import { DEFAULT_LIMITS, type ServerLimits, type ServerRow } from '../../src-shared/servers/server.schema';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Field, Input } from '../ui/Field';
import { Problem } from '../ui/Note';
import form from './ServerForm.module.css';

const WORDS: Record<keyof ServerLimits, { label: string; help: string }> = {
  maxReplyBytes: { label: 'Largest reply', help: 'A reply over it is cut off before anything reads it.' },
  callTimeoutMs: { label: 'Time for a call', help: 'Progress extends it, up to 10 minutes.' },
  discoveryTimeoutMs: {
    label: 'Time for a list',
    help: 'Of tools, resources or prompts, and for the first contact with an address.',
  },
  startTimeoutMs: { label: 'Time for a start', help: 'Until a program is ready; a first run can install packages.' },
  maxTools: { label: 'Most tools', help: 'What it lists beyond them is left out, and named on the Tools tab.' },
};

type Typed = Record<keyof ServerLimits, string>;
const typedFrom = (limits: ServerLimits): Typed =>
  Object.fromEntries(LIMIT_NAMES.map((name) => [name, writeLimit(name, limits[name])])) as Typed;

/** What the server is held to. Changing it changes nothing of what was approved (S3). */
export function LimitsTab({ server }: { server: Pick<ServerRow, 'id' | 'name' | 'limits'> }) {
  const act = useAct();
  const [typed, setTyped] = useState(() => typedFrom(server.limits));
  const [tried, setTried] = useState(false);
  const [saved, setSaved] = useState(false);
  const readings = LIMIT_NAMES.map((name) => [name, readLimit(name, typed[name])] as const);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    const limits: ServerLimits = { ...server.limits };
    for (const [name, reading] of readings) {
      if (!reading.ok) return;
      limits[name] = reading.value;
    }
    const outcome = await act.run('servers.setLimits', { id: server.id, limits });
    setSaved(outcome.ok);
  };
  const change = (next: Typed) => {
    setSaved(false);
    setTyped(next);
  };
  return (
    <form aria-label={`Limits of ${server.name}`} className={form.limits} noValidate onSubmit={(event) => void save(event)}>
      {readings.map(([name, reading]) => (
        <Field
          key={name}
          label={WORDS[name].label}
          type={LIMITS[name].unit}
          help={WORDS[name].help}
          error={tried && !reading.ok ? reading.problem : null}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              value={typed[name]}
              onChange={(event) => change({ ...typed, [name]: event.target.value })}
            />
          )}
        </Field>
      ))}
      <Problem text={act.problem} />
      <div className={form.answers}>
        <Button type="submit" look="strong" disabled={act.busy}>
          Save limits
        </Button>
        <Button look="quiet" onClick={() => change(typedFrom({ ...DEFAULT_LIMITS }))}>
          Fill in the usual ones
        </Button>
        <span role="status">{saved && 'Saved. A server that runs is started anew at its next call.'}</span>
      </div>
    </form>
  );
}
