import { useId, useRef, useState } from 'react';
import type { QuestionApproval } from '../../src-shared/approvals/approval.schema';
import { checkAnswer } from '../../src-shared/approvals/question-answer';
import { initialDraft, readForm } from '../../src-shared/tools/form-reading';
import { planForm } from '../../src-shared/tools/schema-form';
import { FormFields } from '../tools/FormFields';
import { Button } from '../ui/Button';
import { Visible } from '../ui/Code';
import { countOf, formatClock } from '../ui/format';
import { gateWords } from '../ui/gate-words';
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
import { AllowButton } from './AllowButton';
import styles from './Question.module.css';
import type { SheetPlace } from './ToolSheet';
import { useAnswer } from './use-answer';
import { useArming } from './use-arming';

type Asked<K extends QuestionApproval['ask']['kind']> = Extract<QuestionApproval['ask'], { kind: K }>;

const ACTS = { form: 'Send', open: 'Open in the browser', 'come-back': 'Go on' } as const;
const REFUSALS = { form: 'Don’t answer', open: 'Don’t open', 'come-back': 'Stop' } as const;

/** Puts what a server asks to the person who let its call run: a form, an address to open, or a wait until they are back. */
export function QuestionSheet({ request, place }: { request: QuestionApproval; place: SheetPlace }) {
  const id = useId();
  const { ask } = request;
  const arming = useArming(request.id);
  const { act, answer } = useAnswer(request);
  const [plan] = useState(() => planForm(ask.kind === 'form' ? ask.schema : {}));
  const [draft, setDraft] = useState(() => initialDraft(plan));
  const [tried, setTried] = useState(false);
  const body = useRef<HTMLDivElement>(null);
  const read = readForm(plan, draft);
  const filled = ask.kind === 'form' && read.ok ? checkAnswer(ask.schema, read.value) : read;
  const refuse = () => answer({ kind: 'refuse' });
  const allow = () => {
    if (ask.kind !== 'form') return answer({ kind: 'once' });
    setTried(true);
    if (filled.ok) return answer({ kind: 'filled', text: JSON.stringify(filled.value) });
    // The marks of what is wrong are drawn by then.
    requestAnimationFrame(() => body.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  };

  return (
    <Sheet labelledBy={`${id}-ask`} describedBy={`${id}-where`} alert stacked={place.stacked} onRefuse={refuse} {...arming.sheet}>
      <SheetHead>
        <SheetKicker>
          <State role="wait">
            During&nbsp;
            <bdi>
              <Visible text={request.toolName} />
            </bdi>
          </State>
          <span>{place.waiting > 1 ? `1 of ${place.waiting} waiting` : ''}</span>
        </SheetKicker>
        <SheetTitle id={`${id}-ask`}>
          “<bdi>{request.serverName}</bdi>” {ask.kind === 'form' ? 'asks you something' : 'wants an address opened'}
        </SheetTitle>
        <SheetFacts id={`${id}-where`}>
          <State role={request.leaves ? 'leave' : 'stay'}>{gateWords(request)}</State>
          <State role="plain" icon="plug">
            short name {request.namespace}
          </State>
        </SheetFacts>
        <LooksLike marks={request.looksLike} />
      </SheetHead>
      <SheetBody label="What it asks">
        <div ref={body} className={styles.question}>
          {request.message !== '' && (
            <blockquote className={styles.message} dir="auto">
              {request.message}
            </blockquote>
          )}
          {request.removedCharacters > 0 && (
            <Note role="off">
              {countOf(request.removedCharacters, 'character')} that show nothing were taken out of its words.
            </Note>
          )}
          {ask.kind === 'form' && (
            <FormFields
              fields={plan.fields}
              draft={draft}
              problems={filled.ok ? [] : filled.problem}
              showMissing={tried}
              onChange={setDraft}
            />
          )}
          {ask.kind === 'open' && <Address ask={ask} />}
          {ask.kind === 'come-back' && (
            <p>
              <bdi dir="ltr">{ask.host}</bdi> is open in your browser. Choose Go on when you are done there.
            </p>
          )}
        </div>
      </SheetBody>
      <SheetFoot>
        <Problem text={act.problem} />
        <SheetActions
          refuse={
            <Button look="strong" data-first-focus onClick={refuse}>
              {REFUSALS[ask.kind]}
            </Button>
          }
        >
          <AllowButton armed={arming.armed} allow={arming.allow('once', allow)}>
            {ACTS[ask.kind]}
          </AllowButton>
        </SheetActions>
        <SheetAsides>
          <span>
            {ask.kind === 'form' ? 'What you fill in is sent to this server; what it does with it cannot be seen here. ' : ''}Not
            answered by itself at {formatClock(request.expiresAt)}.
          </span>
        </SheetAsides>
      </SheetFoot>
    </Sheet>
  );
}

/** The whole address, its host the part to look at; text, and not a link. */
function Address({ ask }: { ask: Asked<'open'> }) {
  return (
    <>
      <p>Your browser would open this address. What you type there is not seen here:</p>
      <p className={styles.address} dir="ltr" aria-label="Address" role="group" tabIndex={0}>
        {ask.before}
        <b className={styles.host}>{ask.host}</b>
        {ask.after}
      </p>
      {ask.warning !== null && <Note role="leave">{ask.warning}</Note>}
    </>
  );
}
