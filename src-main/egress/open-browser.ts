import { shell } from 'electron';

/** Hands one address to the system's browser, as one argument that no shell reads. */
export async function openBrowser(address: string): Promise<boolean> {
  try {
    await shell.openExternal(address);
    return true;
  } catch {
    return false;
  }
}
