import type { SignInClientDraft } from '../../src-shared/oauth/sign-in.schema';
import type { ToolDefinition } from '../../src-shared/tools/tool.schema';
import type { McpSession } from '../../src-main/sessions/mcp-session';
import type { AnswerQuestion } from '../../src-main/sessions/mcp-session-questions';
import { SIGN_IN_SERVER, signInWith } from '../support/sign-in-with';

/** More than once, because a server can move its sign-in elsewhere; not for ever. */
const MAX_SIGN_INS = 2;

/** The app's own road to a server, without its window. */
export interface Host {
  open(): Promise<McpSession>;
  /** Every tool the app would offer, by the name its server gives it. */
  tools(session: McpSession): Promise<Map<string, ToolDefinition>>;
  /** What the server asks meanwhile is put to `person`; without one it is declined. */
  call(session: McpSession, tool: ToolDefinition | undefined, given: object, person?: AnswerQuestion): Promise<unknown>;
  close(): Promise<void>;
}

export interface HostOptions {
  endpoint: string;
  ledgerFolder: string;
  /** How the app names itself where it signs in; by default it registers. */
  client?: SignInClientDraft;
}

/** Door, ledger, transport, session and sign-in as the app puts them together, with a person who signs in when asked to. */
export function openHost({ endpoint, ledgerFolder, client }: HostOptions): Host {
  const house = signInWith({ url: endpoint, folder: ledgerFolder, ...(client ? { client } : {}) });
  let signIns = 0;

  /** Tries, signs in if that is what was missing, and tries again. */
  async function signedIn<T>(attempt: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        const wanted = ['needed', 'needed-again'].includes(house.signIn.stateOf(SIGN_IN_SERVER));
        if (!wanted || signIns === MAX_SIGN_INS) throw error;
        signIns += 1;
        const outcome = await house.start();
        if (!outcome.ok) throw new Error(outcome.problem, { cause: error });
      }
    }
  }

  return {
    open: () =>
      signedIn(async () => {
        const opened = await house.open({ answersQuestions: true });
        if (!opened.ok) throw new Error(opened.problem.message);
        return opened.value;
      }),

    tools: (session) =>
      signedIn(async () => {
        const listed = await session.listTools();
        if (!listed.ok) throw new Error(listed.problem.message);
        for (const { rawName, why } of listed.value.skipped) process.stderr.write(`Not offered: ${rawName}. ${why}\n`);
        return new Map(listed.value.tools.map((tool) => [tool.rawName, tool]));
      }),

    async call(session, tool, given, person) {
      if (!tool) throw new Error('The server does not list the tool this scenario is about.');
      return signedIn(async () => {
        const outcome = await session.callTool({ definition: tool, frozenText: JSON.stringify(given), onQuestion: person });
        if (!outcome.ok) throw new Error(outcome.problem.message);
        return outcome.raw;
      });
    },

    close: () => house.close(),
  };
}
