import { contextBridge, ipcRenderer } from 'electron';

// Two pipes and nothing else: what may pass through them is decided in main, by the contract.
contextBridge.exposeInMainWorld('host', {
  call: (name: string, input: unknown): Promise<unknown> => ipcRenderer.invoke('call', name, input),
  subscribe: (listener: (message: unknown) => void): (() => void) => {
    const relay = (_event: unknown, message: unknown): void => listener(message);
    ipcRenderer.on('view/feed', relay);
    return () => void ipcRenderer.removeListener('view/feed', relay);
  },
});
