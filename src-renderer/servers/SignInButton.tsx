import type { ServerRow } from '../../src-shared/servers/server.schema';
import type { Act } from '../host/use-act';
import { Button } from '../ui/Button';

/** Whether the server is contacted at all, and waits for a sign-in that only a person can begin (K1). */
const waits = ({ signIn, status }: Pick<ServerRow, 'signIn' | 'status'>): boolean =>
  (signIn === 'needed' || signIn === 'needed-again') &&
  (status.kind === 'failed' || status.kind === 'looking' || status.kind === 'on');

/** Begins the sign-in a server asked for, or gives up the one under way; nothing where there is none. */
export function SignInButton({ server, act }: { server: Pick<ServerRow, 'id' | 'name' | 'signIn' | 'status'>; act: Act }) {
  const { id, name } = server;
  if (server.signIn === 'under-way') {
    return (
      <Button small aria-label={`Give up the sign-in to ${name}`} onClick={() => void act.run('signIn.cancel', { id })}>
        Give up the sign-in
      </Button>
    );
  }
  if (!waits(server)) return null;
  const words = server.signIn === 'needed-again' ? 'Sign in again' : 'Sign in';
  return (
    <Button small disabled={act.busy} aria-label={`${words} to ${name}`} onClick={() => void act.run('signIn.start', { id })}>
      {words}
    </Button>
  );
}
