import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import { initialDraft, readForm, type FormDraft } from '../../src-shared/tools/form-reading';
import { planForm } from '../../src-shared/tools/schema-form';
import type { JsonObject, ToolRow } from '../../src-shared/tools/tool.schema';
import { goTo } from '../app/navigation-store';
import { ensureConversation } from '../chat/ensure-conversation';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Field, TextArea } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { Note, Problem } from '../ui/Note';
import { WhereState } from '../ui/State';
import text from '../ui/Text.module.css';
import { argumentsAsTyped, draftOfArguments, readArguments, writeArguments } from './argument-editing';
import { FormFields } from './FormFields';
import styles from './ToolRunner.module.css';

export interface ChosenTool {
  server: ServerRow;
  tool: ToolRow;
}

type Writing = { as: 'form'; draft: FormDraft } | { as: 'json'; text: string };

/** What one tool is, a form for what it takes, and the two ways out: run it, or not. */
export function ToolForm({ chosen: { server, tool }, inputSchema }: { chosen: ChosenTool; inputSchema: JsonObject }) {
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const [plan] = useState(() => planForm(inputSchema));
  const [writing, setWriting] = useState<Writing>(() => ({ as: 'form', draft: initialDraft(plan) }));
  const [tried, setTried] = useState(false);
  const [staysJson, setStaysJson] = useState<string | null>(null);
  const act = useAct();

  useEffect(() => {
    form.current?.querySelector<HTMLElement>('input, textarea, select, button')?.focus();
  }, []);

  const fromForm = writing.as === 'form' ? readForm(plan, writing.draft) : null;
  const fromJson = writing.as === 'json' ? readArguments(writing.text) : null;
  const ready = (fromForm?.ok ?? false) || (fromJson?.ok ?? false);

  const swap = () => {
    if (writing.as === 'form') return setWriting({ as: 'json', text: writeArguments(argumentsAsTyped(plan, writing.draft)) });
    const draft = draftOfArguments(plan, writing.text);
    setStaysJson(draft.ok ? null : draft.problem);
    if (draft.ok) setWriting({ as: 'form', draft: draft.value });
  };

  const run = async (event: FormEvent) => {
    event.preventDefault();
    if (act.busy) return;
    setTried(true);
    if (!ready) {
      // The marks of what is wrong are drawn by then.
      requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
      return;
    }
    const conversationId = await ensureConversation(act);
    if (!conversationId) return;
    const argumentsText =
      writing.as === 'json' ? writing.text.trim() || '{}' : JSON.stringify(fromForm?.ok ? fromForm.value : {});
    const { serverId, rawName } = tool;
    const outcome = await act.run('tools.run', { conversationId, serverId, rawName, argumentsText });
    if (outcome.ok) goTo({ screen: 'chat' });
  };

  return (
    <form
      ref={form}
      className={styles.runnerForm}
      aria-labelledby={id}
      noValidate
      onSubmit={(event) => void run(event)}
      onKeyDown={(event) => {
        // Enter alone begins a new line in a long field.
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
      }}
    >
      <div className={styles.scroll}>
        <div className={styles.form}>
          <div className={styles.formHead}>
            <h2 id={id}>
              <code>{tool.rawName}</code>
            </h2>
            {tool.title && tool.title !== tool.rawName && <p dir="auto">{tool.title}</p>}
            <p className={text.soft} dir="auto">
              {tool.description || 'Its server says nothing about what it does.'}
            </p>
            <WhereState leaves={server.leaves} where={server.where} />
          </div>
          {plan.partial && writing.as === 'form' && (
            <Note role="off">Its schema says more than these fields hold. Choose Edit as JSON for what is missing here.</Note>
          )}
          {writing.as === 'form' ? (
            <FormFields
              fields={plan.fields}
              draft={writing.draft}
              problems={fromForm && !fromForm.ok ? fromForm.problem : []}
              showMissing={tried}
              onChange={(draft) => setWriting({ as: 'form', draft })}
            />
          ) : (
            <Field
              label="Arguments"
              type="JSON"
              error={staysJson ?? (fromJson && !fromJson.ok ? fromJson.problem : null)}
              help="Sent as it stands here, once you allow it."
            >
              {(control) => (
                <TextArea
                  {...control}
                  mono
                  rows={12}
                  value={writing.text}
                  onChange={(event) => {
                    setStaysJson(null);
                    setWriting({ as: 'json', text: event.target.value });
                  }}
                />
              )}
            </Field>
          )}
          {writing.as === 'form' && plan.fields.length === 0 && <p className={text.soft}>It takes no arguments.</p>}
          <Problem text={act.problem} />
        </div>
      </div>
      <div className={styles.foot}>
        <div className={styles.footBar}>
          <Button look="quiet" className={styles.swap} onClick={swap}>
            <Icon name={writing.as === 'form' ? 'terminal' : 'pencil'} />
            {writing.as === 'form' ? 'Edit as JSON' : 'Edit as form'}
          </Button>
          <Button className={styles.push} onClick={() => goTo({ screen: 'chat' })}>
            Don’t run
          </Button>
          <Button look="strong" type="submit" aria-disabled={!ready || act.busy}>
            Run
          </Button>
        </div>
      </div>
    </form>
  );
}
