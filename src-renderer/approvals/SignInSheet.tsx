import { useId } from 'react';
import type { SignInApproval } from '../../src-shared/approvals/approval.schema';
import { Button } from '../ui/Button';
import { Visible } from '../ui/Code';
import { formatClock } from '../ui/format';
import { gateWords } from '../ui/gate-words';
import { Note, Problem } from '../ui/Note';
import {
  Sheet,
  SheetActions,
  SheetAsides,
  SheetBody,
  SheetFacts,
  SheetFoot,
  SheetHead,
  SheetKicker,
  SheetTitle,
} from '../ui/Sheet';
import { State } from '../ui/State';
import { AllowButton } from './AllowButton';
import styles from './SignIn.module.css';
import type { SheetPlace } from './ToolSheet';
import { useAnswer } from './use-answer';
import { useArming } from './use-arming';

/** Shows each host a sign-in would contact, and the whole address before a browser opens it (K2). */
export function SignInSheet({ request, place }: { request: SignInApproval; place: SheetPlace }) {
  const id = useId();
  const arming = useArming(request.id);
  const { act, answer } = useAnswer(request);
  const opens = request.step === 'open-browser';
  const refuse = () => answer({ kind: 'refuse' });
  return (
    <Sheet labelledBy={`${id}-ask`} describedBy={`${id}-where`} stacked={place.stacked} onRefuse={refuse} {...arming.sheet}>
      <SheetHead>
        <SheetKicker>
          <State role="wait">{opens ? 'Before your browser opens' : 'Before anything is contacted'}</State>
          <span>{place.waiting > 1 ? `1 of ${place.waiting} waiting` : ''}</span>
        </SheetKicker>
        <SheetTitle id={`${id}-ask`}>
          Sign in to “<bdi>{request.serverName}</bdi>”?
        </SheetTitle>
        <SheetFacts id={`${id}-where`}>
          <State role={request.leaves ? 'leave' : 'stay'}>{gateWords(request)}</State>
        </SheetFacts>
      </SheetHead>
      <SheetBody label={opens ? 'What opens' : 'Who is contacted'}>
        <ul className={styles.hosts}>
          {request.origins.map(({ origin, what }) => (
            <li key={`${origin} ${what}`}>
              <b dir="ltr">{origin}</b> <span>{what}</span>
            </li>
          ))}
        </ul>
        {request.address && (
          <p className={styles.address} dir="ltr" aria-label="Address" role="group" tabIndex={0}>
            <Visible text={request.address} />
          </p>
        )}
        {request.scopes.length > 0 && (
          <p>
            It asks for:{' '}
            {request.scopes.map((scope) => (
              <code key={scope} className={styles.scope}>
                {scope}
              </code>
            ))}
          </p>
        )}
        {request.notes.map((note) => (
          <Note key={note} role="leave">
            {note}
          </Note>
        ))}
      </SheetBody>
      <SheetFoot>
        <Problem text={act.problem} />
        <SheetActions
          refuse={
            <Button look="strong" data-first-focus onClick={refuse}>
              Don’t sign in
            </Button>
          }
        >
          <AllowButton armed={arming.armed} allow={arming.allow('once', () => answer({ kind: 'once' }))}>
            {opens ? 'Open the browser' : 'Contact for this sign-in'}
          </AllowButton>
        </SheetActions>
        <SheetAsides>
          <span>Given up by itself at {formatClock(request.expiresAt)}.</span>
        </SheetAsides>
      </SheetFoot>
    </Sheet>
  );
}
