import { checkAddressTemplate, plainAddress } from '../../src-shared/servers/address-template';
import { checkEndpoint } from '../../src-shared/servers/endpoint-rule';
import { HOST_WARNINGS } from '../../src-shared/servers/host-script';
import { proposeAddress } from '../../src-shared/servers/secret-proposal';
import { LinkButton } from '../ui/Button';
import { Field, Input } from '../ui/Field';
import { useAct } from '../host/use-act';
import { Note, Problem } from '../ui/Note';
import { State, WhereState } from '../ui/State';
import { adviseNamespace, askedInputs, EMPTY_VALUE, namespaceOf, type ServerEdit } from './server-edit';
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
      <ShellLookup command={edit.command.trim()} onFound={(command) => onChange({ ...edit, command })} />
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

/** A program that PATH does not name can still be one that a terminal finds: its shell is asked when pressed (W7). */
function ShellLookup({ command, onFound }: { command: string; onFound(path: string): void }) {
  const act = useAct();
  if (command === '' || /[/\\\s]/.test(command)) return null;
  const look = async () => {
    const outcome = await act.run('programs.lookInShell', { command });
    if (outcome.ok) onFound(outcome.value.path);
  };
  return (
    <div role="status">
      <LinkButton disabled={act.busy} onClick={() => void look()}>
        Look in my shell
      </LinkButton>{' '}
      <span>runs your login shell once and enters the full path it finds.</span>
      <Problem text={act.problem} />
    </div>
  );
}

/** A key in an address stands in the file in the clear, unless it is taken out of it (S5). */
function QueryProposal({ edit, onChange }: Pick<ServerFieldsProps, 'edit' | 'onChange'>) {
  const proposed = proposeAddress(edit.endpoint.trim());
  if (!proposed) return null;
  const names = proposed.inputs.map(({ key }) => key);
  const accept = () => {
    const kept = edit.inputs.filter(({ name }) => !names.includes(name));
    const added = proposed.inputs.map(({ key, value }) => ({ ...EMPTY_VALUE, name: key, text: value, secret: true }));
    onChange({ ...edit, endpoint: proposed.endpoint, inputs: [...kept, ...added] });
  };
  return (
    <Note role="leave">
      The address holds what looks like a secret: {names.join(', ')}.{' '}
      <LinkButton onClick={accept}>Keep it in the keychain</LinkButton>
    </Note>
  );
}

/** What the entry asks for with `${input:key}`: kept as secrets (S6). */
function InputFields({ edit, onChange }: Pick<ServerFieldsProps, 'edit' | 'onChange'>) {
  const asked = askedInputs(edit);
  const type = (at: number, text: string) =>
    onChange({ ...edit, inputs: asked.map((value, index) => (index === at ? { ...value, text } : value)) });
  return asked.map((value, index) => (
    <Field
      key={value.name}
      label={`Value of “${value.name}”`}
      help="The entry asks for it. It is kept as a secret."
      error={value.text === '' && value.saved === null ? `Enter the value of “${value.name}”.` : null}
    >
      {(control) => (
        <Input
          {...control}
          mono
          type="password"
          placeholder={value.saved === null ? '' : 'saved; type to replace it'}
          value={value.text}
          onChange={(event) => type(index, event.target.value)}
        />
      )}
    </Field>
  ));
}

function AddressFields({ edit, onChange }: Pick<ServerFieldsProps, 'edit' | 'onChange'>) {
  const typed = checkAddressTemplate(edit.endpoint.trim());
  const checked = checkEndpoint(plainAddress(edit.endpoint.trim(), null) ?? '');
  return (
    <>
      <Field label="Address" error={typed.ok ? null : typed.problem}>
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
        {typed.ok && !checked.ok && (
          <Note role="leave">Its host stands in a variable of this computer. The review shows it.</Note>
        )}
        {typed.ok && checked.ok && (
          <>
            <WhereState leaves={checked.value.leaves} where={checked.value.host} />
            {checked.value.warning !== null && <Note role="leave">{HOST_WARNINGS[checked.value.warning]}</Note>}
          </>
        )}
      </div>
      <QueryProposal edit={edit} onChange={onChange} />
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
      <InputFields edit={edit} onChange={onChange} />
    </div>
  );
}
