import { useState } from 'react';
import { openConversation, useNavigation } from '../app/navigation-store';
import { useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Confirm } from '../ui/Confirm';
import { Input } from '../ui/Field';
import { Menu } from '../ui/Menu';
import styles from './ConversationTitle.module.css';

/** The name of the chat in view, and the acts on it. */
export function ConversationTitle() {
  const id = useNavigation((state) => state.conversation);
  const title = useView('conversations', (all) => all.find((chat) => chat.id === id)?.title ?? 'New chat');
  const onRunner = useNavigation((state) => state.place.screen === 'run-a-tool');
  const act = useAct();
  const [doing, setDoing] = useState<'renaming' | 'deleting' | null>(null);
  const [words, setWords] = useState('');

  if (!id) return <h1 dir="auto">{onRunner ? 'Run a tool' : 'New chat'}</h1>;
  const rename = async () => {
    setDoing(null);
    if (words.trim() !== '' && words !== title) await act.run('conversations.rename', { id, title: words.trim().slice(0, 200) });
  };
  const remove = async () => {
    const outcome = await act.run('conversations.delete', { id });
    if (!outcome.ok) return;
    setDoing(null);
    openConversation(null);
  };
  return (
    <div className={styles.title}>
      {doing === 'renaming' ? (
        <Input
          aria-label="Name of this chat"
          autoFocus
          value={words}
          maxLength={200}
          onChange={(event) => setWords(event.target.value)}
          onBlur={() => void rename()}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void rename();
            if (event.key === 'Escape') setDoing(null);
          }}
        />
      ) : (
        <h1 dir="auto" title={title}>
          {title}
        </h1>
      )}
      <Menu
        label="This chat"
        items={[
          {
            words: 'Rename',
            icon: 'pencil',
            act: () => {
              setWords(title);
              setDoing('renaming');
            },
          },
          { words: 'Delete…', icon: 'close', stop: true, act: () => setDoing('deleting') },
        ]}
      />
      {act.problem && doing === null && (
        <span role="alert" className={styles.problem}>
          {act.problem}
        </span>
      )}
      {doing === 'deleting' && (
        <Confirm
          title="Delete this chat?"
          keep="Keep it"
          act="Delete"
          busy={act.busy}
          problem={act.problem}
          onKeep={() => setDoing(null)}
          onAct={() => void remove()}
        >
          <p>
            Its messages, its drafts and the results kept with it are deleted from this computer. The ledger under Privacy stays.
          </p>
        </Confirm>
      )}
    </div>
  );
}
