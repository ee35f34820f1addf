import { useState, type FormEvent } from 'react';
import type { ShownSignInClient, SignInClientDraft } from '../../src-shared/oauth/sign-in.schema';
import type { SignInState } from '../../src-shared/oauth/sign-in-state.schema';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import { useAct, useAnswer, type Act } from '../host/use-act';
import { Button } from '../ui/Button';
import { Field, Input } from '../ui/Field';
import { Problem } from '../ui/Note';
import { Segmented } from '../ui/Segmented';
import { Skeleton } from '../ui/Skeleton';
import form from './ServerForm.module.css';
import { SignInButton } from './SignInButton';
import { SignsInItself } from './SignsInItself';

const STATES: Record<SignInState, string> = {
  'not-asked': 'This server has not asked for a sign-in.',
  needed: 'This server asks for a sign-in. Nothing begins before you choose it, and each host is shown before it is contacted.',
  'needed-again': 'What you signed in to was taken back, and is gone from this computer.',
  'under-way': 'The sign-in is under way. If a page of your browser has opened, finish it there.',
  'signed-in': 'You are signed in. Its tokens are kept with your secrets, and go to this server alone.',
};

/** Where the sign-in stands, the way out of it, and how this app names itself to its host (K3, K4). */
export function SignInTab({ server }: { server: Pick<ServerRow, 'id' | 'name' | 'signIn' | 'status'> }) {
  const act = useAct();
  const client = useAnswer('signIn.client', server.id, { id: server.id });
  return (
    <div className={form.fields}>
      <p role="status">{STATES[server.signIn]}</p>
      <div className={form.answers}>
        <SignInButton server={server} act={act} />
        {server.signIn === 'signed-in' && (
          <Button look="stop" disabled={act.busy} onClick={() => void act.run('signIn.signOut', { id: server.id })}>
            Sign out
          </Button>
        )}
      </div>
      {client.state === 'loading' && <Skeleton label="Reading how it signs in" />}
      {client.state === 'ready' && <ClientForm server={server} kept={client.value} act={act} />}
      <Problem text={client.state === 'failed' ? client.problem : act.problem} />
    </div>
  );
}

type Kind = SignInClientDraft['kind'];

interface Typed {
  kind: Kind;
  proof: 'secret' | 'key';
  clientId: string;
  secret: string;
  callback: string;
  address: string;
}

const typedFrom = (kept: ShownSignInClient): Typed => ({
  kind: kept.kind,
  proof: kept.kind === 'itself' ? kept.proof : 'secret',
  clientId: kept.kind === 'entered' || kept.kind === 'itself' ? kept.clientId : '',
  secret: '',
  callback: kept.kind === 'entered' ? kept.callback : 'http://127.0.0.1:8765/callback',
  address: kept.kind === 'document' ? kept.address : '',
});

function draftOf({ kind, proof, clientId, secret, callback, address }: Typed): SignInClientDraft {
  switch (kind) {
    case 'entered':
      return { kind, clientId, callback, ...(secret === '' ? {} : { secret }) };
    case 'itself':
      return { kind, clientId, proof, secret };
    case 'document':
      return { kind, address };
    case 'register':
      return { kind };
  }
}

function ClientForm({ server, kept, act }: { server: Pick<ServerRow, 'id' | 'name'>; kept: ShownSignInClient; act: Act }) {
  const [typed, setTyped] = useState(() => typedFrom(kept));
  const [saved, setSaved] = useState(false);
  const change = (part: Partial<Typed>) => {
    setSaved(false);
    setTyped({ ...typed, ...part });
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const outcome = await act.run('signIn.setClient', { id: server.id, client: draftOf(typed) });
    setSaved(outcome.ok);
    if (outcome.ok) setTyped({ ...typed, secret: '' });
  };
  return (
    <form
      aria-label={`How this app names itself to the sign-in host of ${server.name}`}
      className={form.fields}
      noValidate
      onSubmit={(event) => void save(event)}
    >
      <Segmented
        label="Client id"
        value={typed.kind}
        options={[
          ['register', 'Register at the host'],
          ['entered', 'A client id I was given'],
          ['document', 'A document of mine'],
          ['itself', 'This app itself'],
        ]}
        onChange={(kind) => change({ kind, secret: '' })}
      />
      {typed.kind === 'register' && <p>The app registers itself at the host with each sign-in. The sheet says so before.</p>}
      {typed.kind === 'entered' && (
        <>
          <Field label="Client id">
            {(control) => (
              <Input {...control} mono value={typed.clientId} onChange={(event) => change({ clientId: event.target.value })} />
            )}
          </Field>
          <Field label="Client secret" type="optional" help="Kept with your secrets. Saving without one removes the one before.">
            {(control) => (
              <Input
                {...control}
                mono
                type="password"
                value={typed.secret}
                onChange={(event) => change({ secret: event.target.value })}
              />
            )}
          </Field>
          <Field label="Callback" help="Exactly as it is registered at the host.">
            {(control) => (
              <Input {...control} mono value={typed.callback} onChange={(event) => change({ callback: event.target.value })} />
            )}
          </Field>
        </>
      )}
      {typed.kind === 'itself' && <SignsInItself typed={typed} change={change} />}
      {typed.kind === 'document' && (
        <Field label="Address of the document" help="Its https address is the client id. The host reads it; this app does not.">
          {(control) => (
            <Input {...control} mono value={typed.address} onChange={(event) => change({ address: event.target.value })} />
          )}
        </Field>
      )}
      <div className={form.answers}>
        <Button type="submit" look="strong" disabled={act.busy}>
          Save client id
        </Button>
        <span role="status">{saved && 'Saved. What was signed in to before is signed out.'}</span>
      </div>
    </form>
  );
}
