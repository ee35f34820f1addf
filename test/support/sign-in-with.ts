import type { SignInClientDraft, SignInPlan } from '../../src-shared/oauth/sign-in.schema';
import { ok, type Result } from '../../src-shared/base/result';
import { buildRouteTable, routeIdForServer, routeIdForSignIn } from '../../src-shared/egress/route-table';
import { DEFAULT_LIMITS, ServerIdSchema, type HttpConnection, type ServerLimits } from '../../src-shared/servers/server.schema';
import { systemClock } from '../../src-main/app/system-clock';
import { listenForCallback } from '../../src-main/egress/callback-listener';
import { EgressDoor } from '../../src-main/egress/egress-door';
import { openLedger, type Ledger } from '../../src-main/egress/ledger';
import { SignIn } from '../../src-main/oauth/sign-in';
import { EMPTY_SIGN_INS_FILE, SignInStore } from '../../src-main/oauth/sign-in-store';
import type { SecretVault } from '../../src-main/secrets/secret-vault';
import { openSession, type McpSession, type SessionParts } from '../../src-main/sessions/mcp-session';
import { ServerLog } from '../../src-main/sessions/server-log';
import { createLink } from '../../src-main/sessions/session-pool-link';
import type { SessionProblem } from '../../src-main/sessions/session-problem';
import { memoryDocument } from '../../src-main/storage/memory-document';
import { FakeVault } from './fake-vault';

export const SIGN_IN_SERVER = ServerIdSchema.parse('notes');

/** What the person at the screen does. Left out, they agree to everything and their browser works. */
export interface SignInAnswers {
  agree?(plan: SignInPlan): boolean | Promise<boolean>;
  /** What the browser does with the address; by default it follows redirects to the end. */
  browse?(address: string): Promise<void>;
}

export interface SignInOptions {
  url: string;
  answers?: SignInAnswers;
  /** How the app is to name itself to the host (K4). */
  client?: SignInClientDraft;
  headers?: [string, string][];
  limits?: Partial<ServerLimits>;
  /** A folder for the ledger; the caller removes it. */
  folder: string;
  vault?: SecretVault;
  store?: SignInStore;
}

export interface SignInHouse {
  signIn: SignIn;
  store: SignInStore;
  ledger: Ledger;
  /** Every sheet that was shown, and every address that reached the browser. */
  sheets: SignInPlan[];
  opened: string[];
  start(): Promise<Result<void, string>>;
  open(parts?: Partial<SessionParts>): Promise<Result<McpSession, SessionProblem>>;
  /** The server's address is another one from now on. */
  moveTo(url: string): void;
  close(): Promise<void>;
}

/** The app's own sign-in, door and transport around one server, with a person who answers as told. */
export function signInWith({ url, answers = {}, client, headers = [], limits, folder, ...kept }: SignInOptions): SignInHouse {
  const clock = systemClock;
  const sheets: SignInPlan[] = [];
  const opened: string[] = [];
  const browsing: Promise<void>[] = [];
  const sessions: McpSession[] = [];
  let endpoint = url;
  const connection = (): HttpConnection => ({ kind: 'http', endpoint, headers: [] });
  const routes = () =>
    buildRouteTable({
      models: [],
      servers: [{ id: SIGN_IN_SERVER, name: 'Notes', connection: connection(), on: true }],
      signIns: [{ serverId: SIGN_IN_SERVER, name: 'Notes', on: true, origins: signIn.openOrigins(SIGN_IN_SERVER) }],
      keychainState: 'absent',
    });
  const ledger = openLedger({ folder, name: 'ledger', key: null, clock });
  const door = new EgressDoor({ routes, ledger, clock });
  const vault = kept.vault ?? new FakeVault();
  const store = kept.store ?? new SignInStore({ document: memoryDocument(EMPTY_SIGN_INS_FILE), vault });
  const { agree = () => true, browse = followToTheEnd } = answers;
  const signIn: SignIn = new SignIn({
    clock,
    store,
    nameOf: () => 'Notes',
    isUp: () => true,
    routeIdOf: routeIdForSignIn,
    doorFetch: (routeId) => door.fetch(routeId),
    async askPerson(_id, plan) {
      sheets.push(plan);
      return agree(plan);
    },
    async openBrowser(address) {
      opened.push(address);
      browsing.push(browse(address).catch(() => undefined));
      return true;
    },
    listen: listenForCallback,
    changed: () => undefined,
  });
  if (client) signIn.setClient(SIGN_IN_SERVER, client);

  return {
    ...{ signIn, store, ledger, sheets, opened },
    start: () => signIn.start(SIGN_IN_SERVER),
    async open(parts = {}) {
      const bounds = { ...DEFAULT_LIMITS, ...limits };
      const session = await openSession({
        serverName: 'Notes',
        limits: bounds,
        clock,
        link: async () =>
          ok(
            createLink({
              serverName: 'Notes',
              routeId: routeIdForServer(SIGN_IN_SERVER),
              launch: {
                plan: { kind: 'http', host: '', address: [], headers: [], flags: [] },
                fingerprint: '',
                start: {
                  kind: 'http',
                  address: { url: endpoint, headers: headers.map(([name, value]) => ({ name, value })) },
                },
              },
              maxReplyBytes: bounds.maxReplyBytes,
              door,
              accessTo: (address) => signIn.accessTo(SIGN_IN_SERVER, address),
              clock,
              log: new ServerLog({ now: () => clock.now(), mask: (text) => text }),
            }),
          ),
        ...parts,
      });
      if (session.ok) sessions.push(session.value);
      return session;
    },
    moveTo(next) {
      endpoint = next;
    },
    async close() {
      signIn.cancel(SIGN_IN_SERVER);
      for (const session of sessions) await session.close();
      await Promise.all(browsing);
      await door.close();
      ledger.close();
    },
  };
}

/** The Authorization header of the next post to this address; null where there is none. */
export async function authorizationFor({ signIn }: Pick<SignInHouse, 'signIn'>, url: string): Promise<string | null> {
  const headers = await signIn.accessTo(SIGN_IN_SERVER, url).authorize({ method: 'POST', url });
  return headers.authorization ?? null;
}

/** A browser whose person agrees at once: every redirect is followed, the last one leads back to the app. */
async function followToTheEnd(address: string): Promise<void> {
  await fetch(address);
}
