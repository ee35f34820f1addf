import { useId, useState } from 'react';
import type { LaunchApproval } from '../../src-shared/approvals/approval.schema';
import { sourceWords } from '../servers/server-words';
import { Button, LinkButton } from '../ui/Button';
import { Checkbox } from '../ui/Checkbox';
import { formatMoment, formatClock } from '../ui/format';
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
import { useNow } from '../ui/use-now';
import { gateWords } from '../ui/gate-words';
import { AllowButton } from './AllowButton';
import { LaunchChanges } from './LaunchChanges';
import { LaunchAddress, LaunchProgram } from './LaunchPlanView';
import styles from './Launch.module.css';
import type { SheetPlace } from './ToolSheet';
import { useAnswer } from './use-answer';
import { useArming } from './use-arming';

function addedWords(request: LaunchApproval, now: number): string {
  const age = now - request.addedAt;
  const when = age < 120_000 ? 'just now' : formatMoment(request.addedAt, now);
  return `added by ${sourceWords(request.source)}, ${when}`;
}

/** Shows what would run or be contacted, all of it, before anything does (T1). */
export function LaunchSheet({ request, place }: { request: LaunchApproval; place: SheetPlace }) {
  const id = useId();
  const now = useNow();
  const arming = useArming(request.id);
  const { act, answer } = useAnswer(request);
  const runs = request.plan.kind === 'stdio';
  const [privateNetwork, setPrivateNetwork] = useState(false);
  const allow = () => answer({ kind: 'once', ...(privateNetwork && { privateNetwork }) });
  const refuse = () => answer({ kind: 'refuse' });
  // Main settles this sheet as refused when the approval is taken back.
  const forget = () => act.run('servers.revoke', { id: request.serverId });
  return (
    <Sheet labelledBy={`${id}-ask`} stacked={place.stacked} onRefuse={refuse} {...arming.sheet}>
      <SheetHead>
        <SheetKicker>
          <State role="wait">{runs ? 'Review before it runs' : 'Review before it is contacted'}</State>
          <span>{place.waiting > 1 ? `1 of ${place.waiting} waiting` : addedWords(request, now)}</span>
        </SheetKicker>
        <SheetTitle id={`${id}-ask`}>
          {request.changedSince === null ? 'Turn on ' : 'Turn '}“<bdi>{request.serverName}</bdi>”
          {request.changedSince === null ? '?' : ' on again?'}
        </SheetTitle>
        <SheetFacts>
          <State role={request.leaves ? 'leave' : 'stay'}>{gateWords(request)}</State>
          <State role="plain" icon="plug">
            short name {request.namespace}
          </State>
          {place.waiting > 1 && <span>{addedWords(request, now)}</span>}
        </SheetFacts>
        <LooksLike marks={request.looksLike} />
      </SheetHead>
      <SheetBody label={runs ? 'What will run' : 'What will be contacted'}>
        {request.changedSince !== null && <LaunchChanges request={request} changedSince={request.changedSince} />}
        {request.privateNetwork !== undefined && (
          <Note role="leave">
            {request.privateNetwork === 'is'
              ? 'This address is inside a private network.'
              : 'The host of this address leads inside a private network.'}{' '}
            Other computers there answer to no one outside it. Nothing is sent there unless you tick this.
            <label className={styles.ownYes} htmlFor={`${id}-private`}>
              <Checkbox
                id={`${id}-private`}
                checked={privateNetwork}
                onChange={(event) => setPrivateNetwork(event.target.checked)}
              />
              <span>Let {request.serverName} be reached inside a private network</span>
            </label>
          </Note>
        )}
        {request.plan.kind === 'stdio' ? (
          <LaunchProgram plan={request.plan} />
        ) : (
          <LaunchAddress plan={request.plan} leaves={request.leaves} />
        )}
      </SheetBody>
      <SheetFoot>
        <Problem text={act.problem} />
        <SheetActions
          refuse={
            <Button look="strong" data-first-focus onClick={refuse}>
              Keep off
            </Button>
          }
        >
          <AllowButton armed={arming.armed} allow={arming.allow('once', allow)}>
            {runs ? 'Run and look at its tools' : 'Contact it and look at its tools'}
          </AllowButton>
        </SheetActions>
        <SheetAsides>
          {request.changedSince !== null && (
            <LinkButton disabled={act.busy} onClick={() => void forget()}>
              Forget the approval
            </LinkButton>
          )}
          <span>Kept off by itself at {formatClock(request.expiresAt)}.</span>
        </SheetAsides>
      </SheetFoot>
    </Sheet>
  );
}
