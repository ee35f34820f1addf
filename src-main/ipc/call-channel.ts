import { ipcMain, type IpcMainInvokeEvent } from 'electron';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import { answerCall } from './serve-calls';

/** The one channel on which the window asks. A message from anywhere but our own page gets no answer at all. */
export function serveCalls(isTrusted: (event: IpcMainInvokeEvent) => boolean, handlers: CallHandlers): void {
  ipcMain.handle('call', (event, name: unknown, input: unknown) => {
    if (!isTrusted(event)) throw new Error('This page is not part of Portcullis.');
    return answerCall(handlers, name, input);
  });
}
