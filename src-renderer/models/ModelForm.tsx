import { useId, useState, type FormEvent } from 'react';
import type { ModelDraft, ModelRow } from '../../src-shared/models/model.schema';
import { useView } from '../host/mirror-store';
import type { Act } from '../host/use-act';
import { Button } from '../ui/Button';
import { Field, Input } from '../ui/Field';
import { Note, Problem } from '../ui/Note';
import { WhereState } from '../ui/State';
import { keyHelp } from './key-words';
import { adviseAddress, isOtherAddress, type AddressAdvice } from './model-address';
import styles from './Models.module.css';

interface ModelFormProps {
  /** Null for one that does not exist yet. */
  model: ModelRow | null;
  act: Act;
  onSave(draft: ModelDraft): void;
  onKeep(): void;
}

function AddressField({
  value,
  advice,
  tried,
  onChange,
}: {
  value: string;
  advice: AddressAdvice;
  tried: boolean;
  onChange(value: string): void;
}) {
  const missing =
    tried && advice.kind === 'nothing-yet' ? 'Enter the address of the model, such as http://127.0.0.1:11434/v1.' : null;
  return (
    <div className={styles.address}>
      <Field
        label="Address"
        type="OpenAI-compatible"
        help="The base address. /chat/completions is added to it."
        error={advice.kind === 'problem' ? advice.text : missing}
      >
        {(control) => (
          <Input
            {...control}
            mono
            inputMode="url"
            placeholder="http://127.0.0.1:11434/v1"
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )}
      </Field>
      <div role="status">
        {advice.kind === 'fits' && (
          <>
            <WhereState leaves={advice.leaves} where={advice.host} className={styles.where} />
            {advice.warning !== null && <Note role="leave">{advice.warning}</Note>}
          </>
        )}
      </div>
    </div>
  );
}

/** Adds a model, or changes one. The rule for addresses speaks while typing; main has the last word. */
export function ModelForm({ model, act, onSave, onKeep }: ModelFormProps) {
  const titleId = useId();
  const keychain = useView('shell', (shell) => shell.keychain);
  const [name, setName] = useState(model?.name ?? '');
  const [endpoint, setEndpoint] = useState(model?.endpoint ?? '');
  const [modelName, setModelName] = useState(model?.model ?? '');
  const [key, setKey] = useState('');
  const [tried, setTried] = useState(false);

  const advice = adviseAddress(endpoint);
  const moves = model !== null && model.refused === null && advice.kind === 'fits' && isOtherAddress(model.endpoint, endpoint);
  const complete = name.trim() !== '' && modelName.trim() !== '' && advice.kind === 'fits';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (!complete || act.busy) return;
    const newKey = key.trim();
    onSave({ name: name.trim(), endpoint: endpoint.trim(), model: modelName.trim(), ...(newKey !== '' && { newKey }) });
  };
  return (
    <form className={styles.form} aria-labelledby={titleId} noValidate onSubmit={submit}>
      <h3 id={titleId} dir="auto">
        {model ? `Change ${model.name}` : 'Add a model'}
      </h3>
      <div className={styles.fields}>
        <Field label="Name" help="Yours to choose." error={tried && name.trim() === '' ? 'Give the model a name.' : null}>
          {(control) => (
            <Input {...control} autoFocus maxLength={200} value={name} onChange={(event) => setName(event.target.value)} />
          )}
        </Field>
        <Field
          label="Model"
          help="As the server calls it, such as qwen3:8b."
          error={tried && modelName.trim() === '' ? 'Enter the name the server knows the model by.' : null}
        >
          {(control) => (
            <Input {...control} mono maxLength={300} value={modelName} onChange={(event) => setModelName(event.target.value)} />
          )}
        </Field>
        <AddressField value={endpoint} advice={advice} tried={tried} onChange={setEndpoint} />
        <Field
          label="Key"
          type="optional"
          help={keyHelp({ keychain, hasKey: model?.hasKey ?? false, movesToOtherAddress: moves })}
        >
          {(control) => (
            <Input
              {...control}
              type="password"
              mono
              maxLength={4096}
              value={key}
              onChange={(event) => setKey(event.target.value)}
            />
          )}
        </Field>
      </div>
      {moves && (
        <div role="status">
          <Note role="leave">
            {model.hasKey
              ? 'This is another address. Saving drops the key that was saved for the old one and turns the model off.'
              : 'This is another address. Saving turns the model off.'}
          </Note>
        </div>
      )}
      <Problem text={act.problem} />
      <div className={styles.answers}>
        <Button type="submit" look="strong" disabled={act.busy}>
          {model ? 'Save' : 'Add it, off'}
        </Button>
        <Button look="quiet" onClick={onKeep}>
          {model ? 'Keep as it was' : 'Don’t add'}
        </Button>
      </div>
    </form>
  );
}
