import { useState, type FormEvent } from 'react';
import type { Connection, ServerRow } from '../../src-shared/servers/server.schema';
import { isUp } from '../app/gate-summary';
import { useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Note, Problem } from '../ui/Note';
import { stopEditing } from './editing-store';
import { changesConsent, toDraft, toEdit } from './server-edit';
import { ServerFields } from './ServerFields';
import form from './ServerForm.module.css';

/** Changes a server. A refused edit changes nothing and keeps what was typed (S2). */
export function EditServer({ server, connection }: { server: ServerRow; connection: Connection }) {
  const act = useAct();
  const [tried, setTried] = useState<string | null>(null);
  const [edit, setEdit] = useState(() => {
    const namespace = server.namespace ?? (server.status.kind === 'needs-name' ? server.status.suggestion : undefined);
    return toEdit({ name: server.name, connection, ...(namespace !== undefined && { namespace }) });
  });
  const servers = useView('servers', (all) => all);
  const taken = servers.flatMap((other) => (other.id === server.id || other.namespace === null ? [] : [other.namespace]));
  const draft = toDraft(edit, taken);
  const up = isUp(server);
  const asksAgain = (up || server.approvedAt !== null) && draft.ok && changesConsent(connection, draft.value.connection);
  const save = async () => {
    setTried(draft.ok ? null : draft.problem);
    if (!draft.ok) return;
    const outcome = await act.run('servers.update', { id: server.id, draft: draft.value });
    if (outcome.ok) stopEditing();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  return (
    <form className={form.card} aria-labelledby="edit-title" noValidate onSubmit={submit}>
      <div className={form.cardHead}>
        <h2 id="edit-title">
          Change <bdi>{server.name}</bdi>
        </h2>
      </div>
      <ServerFields
        edit={edit}
        taken={taken}
        onChange={(next) => {
          setTried(null);
          act.clear();
          setEdit(next);
        }}
      />
      <div role="status">
        {asksAgain && (
          <Note role="leave">
            {edit.kind === 'http' ? 'This changes what is contacted.' : 'This changes what runs.'}{' '}
            {up
              ? 'Saving turns the server off, and it asks for a review before it is used again.'
              : 'It asks for a review before it is used again.'}
          </Note>
        )}
      </div>
      <Problem text={tried ?? act.problem} />
      <div className={form.answers}>
        <Button type="submit" look="strong" disabled={act.busy}>
          Save
        </Button>
        <Button look="quiet" onClick={stopEditing}>
          Keep as it was
        </Button>
      </div>
    </form>
  );
}
