import { homedir } from 'node:os';
import { dialog } from 'electron';
import type { AppWindow } from './window';

/** Lets the user pick one folder or one file with the system's own dialog; null when they close it. */
export const pickers = (window: AppWindow) => ({
  pickFolder: () => pick(window, 'Which folder may the sample server see?', 'openDirectory'),
  pickWorkspace: () => pick(window, 'Which folder do you want to open?', 'openDirectory'),
  pickFile: () => pick(window, 'Which file holds the servers?', 'openFile'),
});

async function pick(window: AppWindow, title: string, what: 'openDirectory' | 'openFile'): Promise<string | null> {
  const parent = window.browserWindow();
  // Other apps keep their files in hidden folders.
  const properties = what === 'openFile' ? [what, 'showHiddenFiles' as const] : [what];
  const choices = { title, defaultPath: homedir(), properties };
  const picked = await (parent ? dialog.showOpenDialog(parent, choices) : dialog.showOpenDialog(choices));
  return picked.canceled ? null : (picked.filePaths[0] ?? null);
}
