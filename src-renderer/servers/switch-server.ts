import type { ServerId } from '../../src-shared/servers/server.schema';
import { goTo } from '../app/navigation-store';
import type { Act } from '../host/use-act';
import { askTrust, untrustedFolder } from './trusting-store';

/** Turning off is done at once. Turning on starts with the review, and then with a look at the tools. */
export async function switchServer(act: Act, id: ServerId, on: boolean): Promise<void> {
  if (!on) {
    await act.run('servers.turnOff', { id });
    return;
  }
  // Main refuses the review of such a server; here the person is asked what is missing.
  const folder = untrustedFolder(id);
  if (folder !== null) askTrust(folder, id);
  else await reviewServer(act, id);
}

/** Puts the launch review on the screen, and after a yes leads to the tools. False when there was nothing to put there. */
export async function reviewServer(act: Act, id: ServerId): Promise<boolean> {
  const outcome = await act.run('servers.review', { id });
  if (outcome.ok && outcome.value.looking) goTo({ screen: 'server', id });
  return outcome.ok;
}
