// The house as data: who may import whom, and which room owns which dangerous module.
// ESLint is generated from this file, and test/architecture breaks each rule on purpose.

/** Lowest tier first. A room imports only rooms of lower tiers; rooms of one tier do not import each other. */
export const tiers = [
  ['storage', 'processes'],
  ['secrets'],
  ['egress', 'workspace-files', 'ipc'],
  ['settings', 'servers', 'models', 'conversations'],
  ['oauth', 'approvals'],
  ['sessions'],
  ['tools'],
  ['attachments'],
  ['agent'],
  ['app', 'cli'],
];

/** Each dangerous module has an owner. */
export const doors = [
  {
    rooms: ['egress'],
    modules: ['undici', 'net', 'tls', 'http', 'https', 'http2', 'dns', 'dgram', 'inspector'],
  },
  { rooms: ['secrets'], modules: ['keytar'] },
  { rooms: ['storage'], modules: ['electron-store', 'conf'] },
  // processes reads programs to fingerprint them, secrets its own vault, app the bundle behind app://, workspace-files what the user opened.
  { rooms: ['storage', 'processes', 'secrets', 'app', 'workspace-files'], modules: ['fs'] },
  { rooms: ['processes'], modules: ['child_process', 'cluster', 'worker_threads'] },
];

/** What Electron exports is dangerous by name. A name without a room is for nobody. */
export const electronDoors = [
  { rooms: ['ipc'], names: ['ipcMain', 'MessageChannelMain'] },
  { rooms: ['egress'], names: ['shell'] },
  { rooms: ['secrets', 'processes'], names: ['utilityProcess'] },
  { rooms: [], names: ['net', 'autoUpdater', 'crashReporter'] },
];
