import { ipcMain, type IpcMainInvokeEvent } from 'electron';

/** The one channel on which the window asks. A message from anywhere but our own page gets no answer at all. */
export function serveCalls(
  isTrusted: (event: IpcMainInvokeEvent) => boolean,
  answer: (name: unknown, input: unknown) => Promise<unknown>,
): void {
  ipcMain.handle('call', (event, name: unknown, input: unknown) => {
    if (!isTrusted(event)) throw new Error('This page is not part of Portcullis.');
    return answer(name, input);
  });
}
