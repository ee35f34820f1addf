import { homedir } from 'node:os';
import { dialog } from 'electron';
import type { AppWindow } from './window';

/** Lets the user pick one folder with the system's own dialog; null when they close it. */
export async function pickFolder(window: AppWindow): Promise<string | null> {
  const parent = window.browserWindow();
  const choices = {
    title: 'Which folder may the sample server see?',
    defaultPath: homedir(),
    properties: ['openDirectory' as const],
  };
  const picked = await (parent ? dialog.showOpenDialog(parent, choices) : dialog.showOpenDialog(choices));
  return picked.canceled ? null : (picked.filePaths[0] ?? null);
}
