// The house as data: who may import whom, and which room owns which dangerous module.
// ESLint is generated from this file, and test/architecture breaks each rule on purpose.

/** Lowest tier first. A room imports only rooms of lower tiers; rooms of one tier do not import each other. */
export const tiers = [
  ['storage', 'processes'],
  ['secrets'],
  ['egress', 'ipc'],
  ['settings', 'servers', 'models', 'conversations'],
  ['approvals'],
  ['sessions'],
  ['tools'],
  ['agent'],
  ['app', 'cli'],
];

/** Each dangerous module has one owner. */
export const doors = [
  { room: 'egress', modules: ['undici', 'net', 'tls', 'http', 'https', 'http2', 'dns', 'dns/promises', 'dgram'] },
  { room: 'secrets', modules: ['keytar'] },
  { room: 'storage', modules: ['electron-store', 'conf', 'fs', 'fs/promises'] },
  { room: 'processes', modules: ['child_process', 'cluster', 'worker_threads'] },
];
