import { useId, type ReactNode } from 'react';
import { Button } from './Button';
import { Problem } from './Note';
import { Sheet, SheetActions, SheetBody, SheetFoot, SheetHead, SheetTitle } from './Sheet';

interface ConfirmProps {
  title: string;
  children: ReactNode;
  keep: string;
  act: string;
  busy?: boolean;
  problem?: string | null;
  onKeep(): void;
  onAct(): void;
}

/** Asks before something that cannot be taken back. Focus starts on keeping things as they are. */
export function Confirm({ title, children, keep, act, busy = false, problem = null, onKeep, onAct }: ConfirmProps) {
  const id = useId();
  return (
    <Sheet labelledBy={id} alert onRefuse={onKeep}>
      <SheetHead>
        <SheetTitle id={id}>{title}</SheetTitle>
      </SheetHead>
      <SheetBody label={title}>
        {children}
        <Problem text={problem} />
      </SheetBody>
      <SheetFoot>
        <SheetActions
          refuse={
            <Button look="strong" data-first-focus onClick={onKeep}>
              {keep}
            </Button>
          }
        >
          <Button look="stop" disabled={busy} onClick={onAct}>
            {act}
          </Button>
        </SheetActions>
      </SheetFoot>
    </Sheet>
  );
}
