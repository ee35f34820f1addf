import { shell } from 'electron';
import { checkEndpoint } from '../../src-shared/servers/endpoint-rule';

/**
 * Hands one address, shown in full before, to the system's browser: https, or http on this computer (K2).
 * It goes to the system as one argument; no shell reads it.
 */
export async function openBrowser(address: string): Promise<boolean> {
  // A fragment stays in the browser, so the rule for servers' addresses is asked about the rest.
  const checked = checkEndpoint(address.split('#', 1)[0] ?? '');
  if (!checked.ok || /[\s\p{Cc}]/u.test(address)) return false;
  try {
    await shell.openExternal(new URL(address).href);
    return true;
  } catch {
    return false;
  }
}
