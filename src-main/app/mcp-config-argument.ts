import { resolve } from 'node:path';

const OPTION = '--mcp-config';

/** The file that `--mcp-config FILE` or `--mcp-config=FILE` names on the command line of this start; null without one (S9). */
export function mcpConfigArgument(args: readonly string[], cwd: string): string | null {
  for (const [nth, arg] of args.entries()) {
    const named = arg === OPTION ? args[nth + 1] : arg.startsWith(`${OPTION}=`) ? arg.slice(OPTION.length + 1) : undefined;
    if (named !== undefined && named !== '') return resolve(cwd, named);
  }
  return null;
}
