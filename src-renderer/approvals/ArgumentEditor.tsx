import { useEffect, useRef, type KeyboardEvent } from 'react';
import type { EditableText, ToolApproval } from '../../src-shared/approvals/approval.schema';
import { useAct, useAnswer } from '../host/use-act';
import { Button } from '../ui/Button';
import { Field, Input, Select, TextArea } from '../ui/Field';
import { Problem } from '../ui/Note';
import styles from './Approval.module.css';

const HELP: Record<EditableText['kind'], string | undefined> = {
  text: undefined,
  number: undefined,
  'yes-no': undefined,
  json: 'As JSON. What cannot be seen stands as an escape, such as \\u202e.',
};

interface EditorProps {
  request: ToolApproval;
  /** Its place on the sheet; null is all of them as one text. */
  argument: number | null;
  name: string;
  onKeep(): void;
}

/** Changes one argument. Main checks and freezes what is typed, then shows it as a new sheet; until then nothing is changed (A5). */
export function ArgumentEditor({ request, argument, name, onKeep }: EditorProps) {
  const { id, digest, nonce } = request;
  const sheetPart = { id, digest, nonce, argument };
  const read = useAnswer('approvals.editable', `${id} ${nonce} ${argument}`, sheetPart);
  if (read.state === 'loading') return null;
  if (read.state === 'failed') return <Problem text={read.problem} action={<KeepButton onKeep={onKeep} />} />;
  return <Editor sheetPart={sheetPart} editable={read.value} name={name} onKeep={onKeep} />;
}

type SheetPart = Pick<ToolApproval, 'id' | 'digest' | 'nonce'> & { argument: number | null };

function Editor({
  sheetPart,
  editable,
  name,
  onKeep,
}: {
  sheetPart: SheetPart;
  editable: EditableText;
  name: string;
  onKeep(): void;
}) {
  const act = useAct();
  // The control holds the text by itself: a megabyte that is drawn again for each letter would be slow to type in.
  const control = useRef<HTMLInputElement & HTMLTextAreaElement & HTMLSelectElement>(null);
  useEffect(() => control.current?.focus(), []);

  const freeze = async () => {
    if (act.busy || !control.current) return;
    const outcome = await act.run('approvals.edit', { ...sheetPart, text: control.current.value });
    if (!outcome.ok) control.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey || editable.kind === 'number')) {
      event.preventDefault();
      void freeze();
    }
    // Escape gives up the change and not the call.
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      onKeep();
    }
  };
  const shared = { ref: control, defaultValue: editable.text, onKeyDown };
  return (
    <div className={styles.editor}>
      <Field label={`New value of ${name}`} help={HELP[editable.kind]} error={act.problem}>
        {(field) => {
          switch (editable.kind) {
            case 'number':
              return <Input {...field} {...shared} mono inputMode="decimal" />;
            case 'yes-no':
              return (
                <Select {...field} {...shared}>
                  <option value="true">yes</option>
                  <option value="false">no</option>
                </Select>
              );
            default:
              return <TextArea {...field} {...shared} mono className={styles.editorText} />;
          }
        }}
      </Field>
      <div className={styles.editorActions}>
        <Button small disabled={act.busy} onClick={() => void freeze()}>
          Use this
        </Button>
        <KeepButton onKeep={onKeep} />
      </div>
    </div>
  );
}

function KeepButton({ onKeep }: { onKeep(): void }) {
  return (
    <Button small look="quiet" onClick={onKeep}>
      Keep as it was
    </Button>
  );
}
