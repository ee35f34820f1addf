import { Popover } from 'radix-ui';
import { useId } from 'react';
import { useNavigation } from '../app/navigation-store';
import { useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Problem } from '../ui/Note';
import { Switch } from '../ui/Switch';
import styles from './AutopilotChip.module.css';
import { ensureConversation } from './ensure-conversation';

/** Whether the app's own tools skip their questions in this chat, and what that does not reach (A4). */
export function AutopilotChip() {
  const id = useId();
  const conversation = useNavigation((state) => state.conversation);
  const on = useView('conversations', (all) => all.find((chat) => chat.id === conversation)?.autopilot ?? false);
  const act = useAct();
  const set = async (wanted: boolean) => {
    const chat = await ensureConversation(act);
    if (chat) await act.run('conversations.setAutopilot', { id: chat, on: wanted });
  };
  return (
    <Popover.Root onOpenChange={act.clear}>
      <Popover.Trigger asChild>
        <Button look="quiet" small>
          autopilot {on ? 'on' : 'off'}
          <Icon name="chevron-down" />
        </Button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.panel}
          aria-labelledby={id}
          side="top"
          align="start"
          sideOffset={4}
          collisionPadding={8}
        >
          <div className={styles.head}>
            <h2 id={id}>Autopilot in this chat</h2>
            <Switch
              label="Autopilot in this chat"
              on={on}
              leaves={false}
              busy={act.busy}
              onChange={(wanted) => void set(wanted)}
            />
          </div>
          <p>
            Portcullis’s own tools skip their questions in this chat, until you quit. MCP tools still ask, unless you allowed that
            tool.
          </p>
          <p>What deletes or is hard to undo still asks, and so does a call with a key in it or after text of others came in.</p>
          <p>Today no tool of Portcullis’s own asks anything, so there is nothing it skips yet.</p>
          <Problem text={act.problem} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
