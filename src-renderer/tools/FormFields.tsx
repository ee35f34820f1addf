import { useState } from 'react';
import type { FieldProblem, FormDraft } from '../../src-shared/tools/form-reading';
import type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FormField,
  GroupField,
  ListField,
} from '../../src-shared/tools/schema-form';
import { Button } from '../ui/Button';
import { Checkbox } from '../ui/Checkbox';
import { Field, FieldError, Input, Select, TextArea } from '../ui/Field';
import fieldStyles from '../ui/Field.module.css';
import { Icon } from '../ui/Icon';
import { Switch } from '../ui/Switch';
import { fieldLines, fieldWords } from './field-words';
import styles from './ToolRunner.module.css';

type Typed = FormDraft[string];

interface FormFieldsProps {
  fields: readonly FormField[];
  draft: FormDraft;
  problems: readonly FieldProblem[];
  /** Also names what is still missing in fields nobody has touched. */
  showMissing: boolean;
  onChange(draft: FormDraft): void;
}

/** The fields of one level. A field says what is wrong with it once the person has left it, or tried to run. */
export function FormFields({ fields, draft, problems, showMissing, onChange }: FormFieldsProps) {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  return fieldLines(fields).map((line) => (
    <div key={line[0]?.name} className={line.length > 1 ? styles.formPair : styles.line}>
      {line.map((field) => (
        <div
          key={field.name}
          className={styles.cell}
          onBlur={(event) => {
            if (!event.currentTarget.contains(event.relatedTarget)) setLeft((before) => new Set(before).add(field.name));
          }}
        >
          <OneField
            field={field}
            typed={draft[field.name]}
            problems={problems.filter((problem) => problem.path[0] === field.name)}
            shown={showMissing || left.has(field.name)}
            onTyped={(typed) => onChange({ ...draft, [field.name]: typed })}
          />
        </div>
      ))}
    </div>
  ));
}

interface OneFieldProps<F extends FormField> {
  field: F;
  typed: Typed | undefined;
  problems: readonly FieldProblem[];
  shown: boolean;
  onTyped(typed: Typed): void;
}

function OneField({ field, ...rest }: OneFieldProps<FormField>) {
  switch (field.kind) {
    case 'group':
      return <Group field={field} {...rest} />;
    case 'list':
      return <List field={field} {...rest} />;
    case 'boolean':
      return <YesOrNo field={field} {...rest} />;
    case 'choice':
      return <Choice field={field} {...rest} />;
    case 'choices':
      return <Choices field={field} {...rest} />;
    case 'text':
    case 'number':
    case 'json': {
      const words = typeof rest.typed === 'string' ? rest.typed : '';
      const long = field.kind === 'json' || (field.kind === 'text' && field.multiline);
      return (
        <Field label={field.label} type={fieldWords(field)} help={field.help} error={sentence(rest)}>
          {(control) =>
            long ? (
              <TextArea
                {...control}
                mono={field.kind === 'json'}
                rows={3}
                aria-required={field.required}
                value={words}
                onChange={(event) => rest.onTyped(event.target.value)}
              />
            ) : (
              <Input
                {...control}
                mono={field.kind === 'text'}
                className={field.kind === 'number' ? fieldStyles.inputNumber : undefined}
                inputMode={field.kind === 'number' ? (field.integer ? 'numeric' : 'decimal') : undefined}
                aria-required={field.required}
                value={words}
                onChange={(event) => rest.onTyped(event.target.value)}
              />
            )
          }
        </Field>
      );
    }
  }
}

/** The sentence of the field itself; those of its members stand at the members. */
function sentence({ problems, shown }: Pick<OneFieldProps<FormField>, 'problems' | 'shown'>): string | null {
  return shown ? (problems.find((problem) => problem.path.length === 1)?.message ?? null) : null;
}

function Choice({ field, typed, onTyped, ...rest }: OneFieldProps<ChoiceField>) {
  return (
    <Field label={field.label} type={fieldWords(field)} help={field.help} error={sentence(rest)}>
      {(control) => (
        <Select
          {...control}
          aria-required={field.required}
          value={typeof typed === 'string' ? typed : ''}
          onChange={(event) => onTyped(event.target.value)}
        >
          <option value="">{field.required ? 'Choose one' : 'Leave out'}</option>
          {field.choices.map((choice, place) => (
            <option key={place} value={String(place)}>
              {choice.shown}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

function Choices({ field, typed, onTyped, ...rest }: OneFieldProps<ChoicesField>) {
  const places = Array.isArray(typed) ? (typed as readonly string[]) : [];
  const wrong = sentence(rest);
  return (
    <fieldset className={fieldStyles.field}>
      <Legend field={field} />
      {field.help && <p className={fieldStyles.fieldHelp}>{field.help}</p>}
      {field.choices.map((choice, at) => (
        <label key={at} className={styles.switchField}>
          <Checkbox
            checked={places.includes(String(at))}
            aria-invalid={wrong ? true : undefined}
            onChange={(event) =>
              onTyped(event.target.checked ? [...places, String(at)] : places.filter((place) => place !== String(at)))
            }
          />
          <span>{choice.shown}</span>
        </label>
      ))}
      {wrong && <FieldError>{wrong}</FieldError>}
    </fieldset>
  );
}

/** A switch where off is an answer; where leaving it out is another one, all three stand in a list. */
function YesOrNo({ field, typed, onTyped, ...rest }: OneFieldProps<BooleanField>) {
  if (!field.required) {
    return (
      <Field label={field.label} type={fieldWords(field)} help={field.help} error={sentence(rest)}>
        {(control) => (
          <Select
            {...control}
            value={typeof typed === 'boolean' ? String(typed) : ''}
            onChange={(event) => onTyped(event.target.value === '' ? null : event.target.value === 'true')}
          >
            <option value="">Leave out</option>
            <option value="true">Yes</option>
            <option value="false">No</option>
          </Select>
        )}
      </Field>
    );
  }
  return (
    <div className={fieldStyles.field}>
      <label className={styles.switchField}>
        <Switch label={field.label} on={typed === true} leaves={false} onChange={onTyped} />
        <span className={fieldStyles.head}>
          <span className={fieldStyles.fieldLabel}>{field.label}</span>
          <span className={fieldStyles.fieldType}>yes or no</span>
        </span>
      </label>
      {field.help && <p className={fieldStyles.fieldHelp}>{field.help}</p>}
    </div>
  );
}

function Legend({ field }: { field: FormField }) {
  return (
    <legend className={styles.fieldHead}>
      <span className={fieldStyles.fieldLabel}>{field.label}</span>&ensp;
      <span className={fieldStyles.fieldType}>{fieldWords(field)}</span>
    </legend>
  );
}

function List({ field, typed, onTyped, ...rest }: OneFieldProps<ListField>) {
  const entries = Array.isArray(typed) ? (typed as readonly string[]) : [];
  const wrong = sentence(rest);
  return (
    <fieldset className={fieldStyles.field}>
      <Legend field={field} />
      {field.help && <p className={fieldStyles.fieldHelp}>{field.help}</p>}
      <div className={styles.listEdit}>
        {entries.map((entry, place) => (
          <div key={place}>
            <Input
              mono
              autoFocus={entry === '' && place === entries.length - 1}
              aria-label={`${field.label}, item ${place + 1}`}
              aria-invalid={wrong ? true : undefined}
              value={entry}
              onChange={(event) => onTyped(entries.map((old, at) => (at === place ? event.target.value : old)))}
            />
            <Button
              look="quiet"
              icon
              aria-label={`Take item ${place + 1} of ${field.label} away`}
              onClick={() => onTyped(entries.filter((_, at) => at !== place))}
            >
              <Icon name="close" />
            </Button>
          </div>
        ))}
        <div>
          <Button small aria-label={`Add one to ${field.label}`} onClick={() => onTyped([...entries, ''])}>
            <Icon name="plus" />
            Add one
          </Button>
        </div>
      </div>
      {wrong && <FieldError>{wrong}</FieldError>}
    </fieldset>
  );
}

function Group({ field, typed, problems, shown, onTyped }: OneFieldProps<GroupField>) {
  const draft = typeof typed === 'object' && typed !== null && !Array.isArray(typed) ? (typed as FormDraft) : {};
  return (
    <fieldset className={fieldStyles.field}>
      <Legend field={field} />
      {field.help && <p className={fieldStyles.fieldHelp}>{field.help}</p>}
      <div className={styles.fieldset}>
        <FormFields
          fields={field.fields}
          draft={draft}
          problems={problems.map(({ path, message }) => ({ path: path.slice(1), message }))}
          showMissing={shown}
          onChange={onTyped}
        />
      </div>
    </fieldset>
  );
}
