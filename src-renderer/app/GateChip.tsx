import { Popover } from 'radix-ui';
import { useState } from 'react';
import { useShallow } from 'zustand/shallow';
import { useMirror } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { classNames } from '../ui/class-names';
import { Icon } from '../ui/Icon';
import states from '../ui/State.module.css';
import text from '../ui/Text.module.css';
import { summariseGate } from './gate-summary';
import styles from './GateChip.module.css';
import { GatePanel } from './GatePanel';

/** What is on, what can leave, what waits: in sight on every screen. */
export function GateChip() {
  const [open, setOpen] = useState(false);
  // Held here, because a review closes the panel: what it was refused for opens the panel again.
  const act = useAct();
  const change = (next: boolean) => {
    setOpen(next);
    if (!next) act.clear();
  };
  const gate = useMirror(useShallow(({ views }) => summariseGate(views.servers, views.egress, views.approvals)));
  return (
    <Popover.Root open={open || act.problem !== null} onOpenChange={change}>
      <Popover.Trigger className={styles.gateChip}>
        <span className={text.hidden}>Gate: </span>
        <span className={classNames(styles.part, gate.on > 0 && states.stateStay)}>
          <Icon name={gate.on > 0 ? 'plug' : 'gate-down'} />
          {gate.on > 0 ? (
            <span>
              <b>{gate.on}</b> on
            </span>
          ) : (
            'all off'
          )}
        </span>
        <span className={classNames(styles.part, gate.leaves > 0 && states.stateLeave)}>
          <Icon name={gate.leaves > 0 ? 'leave' : 'house'} />
          <span>
            {gate.leaves > 0 ? <b>{gate.leaves}</b> : gate.leaves} {gate.leaves === 1 ? 'leaves' : 'leave'}
          </span>
        </span>
        {gate.waiting > 0 && (
          <span className={classNames(styles.part, states.stateWait)}>
            <Icon name="gate-up" />
            <span>
              <b>{gate.waiting}</b> waiting
            </span>
          </span>
        )}
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={styles.gatePopover} aria-label="Gate" align="end" sideOffset={4} collisionPadding={8}>
          <GatePanel gate={gate} act={act} onGone={() => change(false)} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
