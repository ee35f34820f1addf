import type { ServerDraft } from '../../src-shared/servers/server.schema';

/** The bundled official filesystem server on one folder. It is added off like any other, and shows the same launch review. */
export function sampleServer(parts: { folder: string; serverScriptPath: string; nodePath: string }): ServerDraft {
  const literal = (value: string) => ({ kind: 'literal' as const, value });
  return {
    name: 'Files',
    connection: {
      kind: 'stdio',
      command: parts.nodePath,
      args: [literal(parts.serverScriptPath), literal(parts.folder)],
      cwd: parts.folder,
      env: [],
    },
  };
}
