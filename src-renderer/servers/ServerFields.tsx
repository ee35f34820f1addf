import { checkEndpoint, ENDPOINT_ADVICE } from '../../src-shared/servers/endpoint-rule';
import { HOST_WARNINGS } from '../../src-shared/servers/host-script';
import { Field, Input } from '../ui/Field';
import { Note } from '../ui/Note';
import { State, WhereState } from '../ui/State';
import { adviseNamespace, namespaceOf, type ServerEdit } from './server-edit';
import styles from './ServerForm.module.css';
import { ValueRows } from './ValueRows';

interface ServerFieldsProps {
  edit: ServerEdit;
  /** Short names that other servers have. */
  taken: readonly string[];
  onChange(edit: ServerEdit): void;
}

function ProgramFields({ edit, onChange }: Pick<ServerFieldsProps, 'edit' | 'onChange'>) {
  return (
    <>
      <State role="stay">runs here, with your rights</State>
      <Field label="Command">
        {(control) => (
          <Input
            {...control}
            mono
            maxLength={4096}
            value={edit.command}
            onChange={(event) => onChange({ ...edit, command: event.target.value })}
          />
        )}
      </Field>
      <ValueRows
        kind="stdio"
        title="Arguments"
        one="argument"
        named={false}
        values={edit.args}
        onChange={(args) => onChange({ ...edit, args })}
      />
      <ValueRows
        kind="stdio"
        title="Environment"
        one="variable"
        named
        values={edit.env}
        onChange={(env) => onChange({ ...edit, env })}
      />
      <Field label="Folder it runs in" type="optional" help="Left empty, it runs in your home folder.">
        {(control) => (
          <Input
            {...control}
            mono
            maxLength={4096}
            value={edit.cwd}
            onChange={(event) => onChange({ ...edit, cwd: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}

function AddressFields({ edit, onChange }: Pick<ServerFieldsProps, 'edit' | 'onChange'>) {
  const checked = checkEndpoint(edit.endpoint.trim());
  return (
    <>
      <Field label="Address" error={checked.ok ? null : ENDPOINT_ADVICE[checked.problem]}>
        {(control) => (
          <Input
            {...control}
            mono
            inputMode="url"
            value={edit.endpoint}
            onChange={(event) => onChange({ ...edit, endpoint: event.target.value })}
          />
        )}
      </Field>
      <div role="status" className={styles.where}>
        {checked.ok && (
          <>
            <WhereState leaves={checked.value.leaves} where={checked.value.host} />
            {checked.value.warning !== null && <Note role="leave">{HOST_WARNINGS[checked.value.warning]}</Note>}
          </>
        )}
      </div>
      <ValueRows
        kind="http"
        title="Headers"
        one="header"
        named
        values={edit.headers}
        onChange={(headers) => onChange({ ...edit, headers })}
      />
    </>
  );
}

/** Everything a server is made of, each part in its own field. The rules speak while typing; main has the last word (E2). */
export function ServerFields({ edit, taken, onChange }: ServerFieldsProps) {
  const namespace = namespaceOf(edit, taken);
  return (
    <div className={styles.fields}>
      <div className={styles.pair}>
        <Field label="Name" error={edit.name.trim() === '' ? 'Give the server a name.' : null}>
          {(control) => (
            <Input
              {...control}
              maxLength={300}
              value={edit.name}
              onChange={(event) => onChange({ ...edit, name: event.target.value })}
            />
          )}
        </Field>
        <Field
          label="Short name"
          help={
            <>
              Its tools appear as <code>{namespace}__…</code>
            </>
          }
          error={adviseNamespace(namespace, taken)}
        >
          {(control) => (
            <Input
              {...control}
              mono
              maxLength={64}
              value={namespace}
              onChange={(event) => onChange({ ...edit, namespace: event.target.value })}
            />
          )}
        </Field>
      </div>
      {edit.kind === 'http' ? (
        <AddressFields edit={edit} onChange={onChange} />
      ) : (
        <ProgramFields edit={edit} onChange={onChange} />
      )}
    </div>
  );
}
