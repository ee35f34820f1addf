import { useId, useState } from 'react';
import type { ToolApproval } from '../../src-shared/approvals/approval.schema';
import { visibleToString } from '../../src-shared/base/visible-text';
import { assertNever } from '../../src-shared/base/assert-never';
import { Button, LinkButton } from '../ui/Button';
import { Visible, InlineCode } from '../ui/Code';
import { Field, Input } from '../ui/Field';
import { formatClock } from '../ui/format';
import { LooksLike } from '../ui/LooksLike';
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
import { gateWords } from '../ui/gate-words';
import { Icon } from '../ui/Icon';
import { AllowButton } from './AllowButton';
import { AlwaysChoice } from './AlwaysChoice';
import always from './AlwaysChoice.module.css';
import styles from './Approval.module.css';
import { ArgumentList, type EditedPlace } from './ArgumentList';
import { claimWords } from './claim-words';
import { useAnswer } from './use-answer';
import { useArming } from './use-arming';

export interface SheetPlace {
  waiting: number;
  stacked: boolean;
}

function whoAsks(request: ToolApproval): string {
  switch (request.caller) {
    case 'model':
      return `${request.serverName} wants to run`;
    case 'you':
      return `You asked ${request.serverName} to run`;
    case 'command-line':
      return `A program in your shell wants ${request.serverName} to run`;
    default:
      return assertNever(request.caller);
  }
}

function Facts({ id, request }: { id: string; request: ToolApproval }) {
  return (
    <SheetFacts id={id}>
      <State role={request.leaves ? 'leave' : 'stay'}>{gateWords(request)}</State>
      <State role="plain" icon="plug">
        short name {request.namespace}
      </State>
      {claimWords(request.claims).map((claim) => (
        <State key={claim.words} role={claim.role} icon={claim.icon}>
          {claim.words}
        </State>
      ))}
    </SheetFacts>
  );
}

/** Asks whether one call may run, and shows all of what would be sent. */
export function ToolSheet({ request, place }: { request: ToolApproval; place: SheetPlace }) {
  const id = useId();
  const arming = useArming(request.id);
  const { act, answer } = useAnswer(request);
  const [aside, setAside] = useState({ because: false, reason: false, always: false });
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const [editing, setEditing] = useState<EditedPlace>(null);
  const harder = request.strength === 'ask-harder';
  // What is being typed is not on the sheet yet, so nothing is allowed meanwhile.
  const ready = editing === null && (!harder || typed === request.typedName);
  const wider = !harder && request.offers.some((offer) => offer !== 'once');
  const refuse = () => answer(reason.trim() === '' ? { kind: 'refuse' } : { kind: 'refuse', reason: reason.trim() });

  return (
    <Sheet
      labelledBy={`${id}-ask`}
      describedBy={`${id}-where`}
      alert
      stacked={place.stacked}
      onRefuse={() => answer({ kind: 'refuse' })}
      {...arming.sheet}
    >
      <SheetHead>
        <SheetKicker>
          <State role="wait">
            <bdi>{whoAsks(request)}</bdi>
          </State>
          <span className={styles.count}>{place.waiting > 1 ? `1 of ${place.waiting} waiting` : ''}</span>
        </SheetKicker>
        <SheetTitle id={`${id}-ask`} mono>
          <Visible text={request.toolName} />
        </SheetTitle>
        <Facts id={`${id}-where`} request={request} />
        <LooksLike marks={request.looksLike} />
      </SheetHead>
      <SheetBody label="What will be sent">
        <Problem text={request.outbound?.length ? request.outbound.join(' ') : null} />
        {request.edited && <Note role="wait">You changed the arguments. What stands here is what is sent.</Note>}
        <ArgumentList request={request} editing={editing} onEdit={setEditing} />
      </SheetBody>
      <SheetFoot>
        {aside.because && (
          <ul className={styles.because} aria-label="Why it is asking">
            {request.because.map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        )}
        {aside.reason && (
          <Field
            label="Why not"
            help={`${request.caller === 'model' ? 'The model' : 'That program'} reads this. Don’t run sends it along.`}
          >
            {(control) => (
              <Input
                {...control}
                autoFocus
                value={reason}
                maxLength={500}
                onChange={(event) => setReason(event.target.value)}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') refuse();
                }}
              />
            )}
          </Field>
        )}
        {editing !== null && <p role="status">Use the new value or keep the old one, then choose.</p>}
        <Problem text={act.problem} />
        <SheetActions
          refuse={
            <Button look="strong" data-first-focus onClick={refuse}>
              Don’t run
            </Button>
          }
        >
          {harder && (
            <span className={styles.typed}>
              <label htmlFor={`${id}-type`}>
                Type <InlineCode>{request.typedName}</InlineCode> to run it
              </label>
              <Input
                mono
                id={`${id}-type`}
                className={styles.typedInput}
                value={typed}
                onChange={(event) => setTyped(event.target.value)}
              />
            </span>
          )}
          {request.offers.includes('once') && (
            <AllowButton
              armed={arming.armed && ready}
              stop={harder}
              allow={arming.allow('once', () => answer(harder ? { kind: 'once', typedName: typed } : { kind: 'once' }), ready)}
            >
              Run once
            </AllowButton>
          )}
          {wider && (
            <span className={always.split}>
              {request.offers.includes('this-chat') && (
                <AllowButton
                  armed={arming.armed && ready}
                  allow={arming.allow('this-chat', () => answer({ kind: 'this-chat' }), ready)}
                >
                  Run in this chat
                </AllowButton>
              )}
              {request.offers.includes('always') && (
                <Button
                  icon
                  aria-label="More ways to allow"
                  aria-expanded={aside.always}
                  aria-controls={aside.always ? `${id}-always` : undefined}
                  onClick={() => setAside({ ...aside, always: !aside.always })}
                >
                  <Icon name="chevron-down" />
                </Button>
              )}
            </span>
          )}
        </SheetActions>
        {aside.always && wider && request.offers.includes('always') && (
          <AlwaysChoice
            id={`${id}-always`}
            request={request}
            armed={arming.armed && ready}
            allow={arming.allow('always', () => answer({ kind: 'always' }), ready)}
          />
        )}
        <SheetAsides>
          <LinkButton aria-expanded={aside.because} onClick={() => setAside({ ...aside, because: !aside.because })}>
            Why is it asking?
          </LinkButton>
          {request.caller !== 'you' && (
            <LinkButton aria-expanded={aside.reason} onClick={() => setAside({ ...aside, reason: !aside.reason })}>
              Say why not…
            </LinkButton>
          )}
          <span title={visibleToString(request.toolName)}>Not run by itself at {formatClock(request.expiresAt)}.</span>
        </SheetAsides>
      </SheetFoot>
    </Sheet>
  );
}
