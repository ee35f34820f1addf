import { useEffect, useRef, useState, type KeyboardEvent } from 'react';
import { useShallow } from 'zustand/shallow';
import { MAX_ATTACHMENTS, type AttachableRow } from '../../src-shared/attachments/attachment.schema';
import { costOf } from '../../src-shared/tools/token-cost';
import { goTo, useNavigation } from '../app/navigation-store';
import { AttachedChips } from '../attachments/AttachedChips';
import { AttachmentForm } from '../attachments/AttachmentForm';
import { setAttached, toAsk, useAttached, type Attached } from '../attachments/attached-store';
import { PickerList } from '../attachments/PickerList';
import { usePicker } from '../attachments/use-picker';
import { useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { tokenWords } from '../servers/review-words';
import { Button } from '../ui/Button';
import { Select } from '../ui/Field';
import { Icon } from '../ui/Icon';
import { Problem } from '../ui/Note';
import { AutopilotChip } from './AutopilotChip';
import styles from './Composer.module.css';
import { setDraft, useDrafts } from './drafts-store';
import { ensureConversation } from './ensure-conversation';
import { MCP_COMMAND, McpPanel } from './McpPanel';

/** How many tools are on; leads to running one by hand. */
function ToolsChip() {
  const count = useView('tools', (tools) => tools.filter((tool) => tool.state === 'on').length);
  const tokens = useView('tools', (tools) => costOf(tools.filter((tool) => tool.state === 'on')).tokens);
  return (
    <Button look="quiet" small aria-label={`tools ${count}: run a tool yourself`} onClick={() => goTo({ screen: 'run-a-tool' })}>
      tools {count}
      {count > 0 && tokens > 0 && ` (${tokenWords(tokens)})`}
      <Icon name="chevron-right" />
    </Button>
  );
}

function WithoutModel() {
  const some = useView('models', (models) => models.length > 0);
  return (
    <div className={styles.composer}>
      <div className={styles.composerBox}>
        <p className={styles.noModel}>
          No model is on, so there is nobody to write to. Every tool that is on can be run by hand.
        </p>
        <div className={styles.composerBar}>
          <Button small onClick={() => goTo({ screen: 'run-a-tool' })}>
            <Icon name="terminal" />
            Run a tool yourself
          </Button>
          <Button look="quiet" small onClick={() => goTo({ screen: 'models', adding: !some })}>
            {some ? 'Turn on a model' : 'Add a model'}
          </Button>
        </div>
      </div>
    </div>
  );
}

/** Where one writes to a model, or runs tools by hand while there is none. */
export function Composer() {
  const models = useView(
    'models',
    useShallow((all) => all.filter((model) => model.on && model.refused === null)),
  );
  const conversation = useNavigation((state) => state.conversation);
  const summary = useView('conversations', (all) => all.find((chat) => chat.id === conversation));
  const draftKey = conversation ?? 'new';
  const words = useDrafts((drafts) => drafts.words[draftKey] ?? '');
  const picked = useDrafts((drafts) => drafts.model);
  const attached = useAttached(draftKey);
  const [asking, setAsking] = useState<AttachableRow | null>(null);
  const [listing, setListing] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  const newChats = useNavigation((state) => state.newChats);
  useEffect(() => {
    if (newChats > 0) box.current?.focus();
  }, [newChats]);
  const act = useAct();
  const attach = (one: Attached) => {
    setAttached(draftKey, [...attached, one].slice(0, MAX_ATTACHMENTS));
    setAsking(null);
    box.current?.focus();
  };
  const picker = usePicker(
    words,
    (left) => setDraft(draftKey, left),
    (row) => (row.fields.length > 0 ? setAsking(row) : attach({ row, given: {} })),
  );
  const model = models.find((candidate) => candidate.id === picked) ?? models[0];
  if (!model) return <WithoutModel />;

  const busy = summary?.busy ?? false;
  const ready = (words.trim() !== '' || attached.length > 0) && !busy && !act.busy;
  const listServers = () => {
    setDraft(draftKey, '');
    setListing(true);
  };
  const send = async () => {
    if (words.trim() === MCP_COMMAND) return listServers();
    if (!ready) return;
    const id = await ensureConversation(act);
    if (!id) return;
    const outcome = await act.run('chat.send', { id, modelId: model.id, text: words, attachments: attached.map(toAsk) });
    for (const key of [draftKey, id]) {
      setDraft(key, outcome.ok || key !== id ? '' : words);
      setAttached(key, outcome.ok || key !== id ? [] : attached);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.nativeEvent.isComposing && words.trim() === MCP_COMMAND) {
      event.preventDefault();
      return listServers();
    }
    if (picker.takesKey(event)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    void send();
  };

  return (
    <form
      className={styles.composer}
      aria-label="Message"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Problem text={act.problem} />
      {listing && (
        <McpPanel
          onClose={() => {
            setListing(false);
            box.current?.focus();
          }}
        />
      )}
      <div className={styles.composerBox}>
        {asking ? (
          <AttachmentForm
            key={asking.ref}
            row={asking}
            onGiven={(given) => attach({ row: asking, given })}
            onDropped={() => {
              setAsking(null);
              box.current?.focus();
            }}
          />
        ) : (
          <PickerList picker={picker} />
        )}
        <AttachedChips attached={attached} onRemove={(index) => setAttached(draftKey, attached.toSpliced(index, 1))} />
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label="Message"
          aria-autocomplete="list"
          aria-controls={picker.list ? picker.listId : undefined}
          aria-activedescendant={picker.list && picker.list.rows.length > 0 ? picker.optionId(picker.list.active) : undefined}
          placeholder={`Write to ${model.name}, @ to attach, / for prompts`}
          value={words}
          onChange={(event) => {
            setDraft(draftKey, event.target.value);
            picker.setCaret(event.target.selectionStart);
          }}
          onSelect={(event) => picker.setCaret(event.currentTarget.selectionStart)}
          onKeyDown={onKeyDown}
        />
        <div className={styles.composerBar}>
          <Select
            quiet
            className={styles.model}
            aria-label="Model"
            value={model.id}
            onChange={(event) => useDrafts.setState({ model: event.target.value })}
          >
            {models.map((candidate) => (
              <option key={candidate.id} value={candidate.id}>
                {candidate.name}: {candidate.leaves ? `leaves to ${candidate.host}` : 'stays here'}
              </option>
            ))}
          </Select>
          <ToolsChip />
          <AutopilotChip />
          {busy && conversation ? (
            <Button
              look="strong"
              small
              icon
              className={styles.push}
              aria-label="Stop"
              onClick={() => void act.run('chat.stop', { id: conversation })}
            >
              <Icon name="stop" />
            </Button>
          ) : (
            <Button look="strong" small icon className={styles.push} type="submit" aria-label="Send" aria-disabled={!ready}>
              <Icon name="send" />
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}
