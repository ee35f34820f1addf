import { canonicalJson } from '../../src-shared/base/canonical-json';
import type { Clock } from '../../src-shared/base/clock';
import { sha256Hex } from '../../src-shared/base/sha256';
import { toVisibleText } from '../../src-shared/base/visible-text';
import { routeIdForSignIn, type RouteFacts } from '../../src-shared/egress/route-table';
import type { SignInPlan } from '../../src-shared/oauth/sign-in.schema';
import type { ServerConfig, ServerId } from '../../src-shared/servers/server.schema';
import type { Json } from '../../src-shared/tools/tool.schema';
import type { ApprovalBroker } from '../approvals/approval-broker';
import { listenForCallback } from '../egress/callback-listener';
import type { BrowserLinks } from '../egress/browser-links';
import type { EgressDoor } from '../egress/egress-door';
import { SignIn } from '../oauth/sign-in';
import { openSignInsFile, SignInStore } from '../oauth/sign-in-store';
import type { SecretVault } from '../secrets/secret-vault';
import type { ServerProjection } from './server-projection';

export interface SignInDeskParts {
  folder: string;
  clock: Clock;
  vault: SecretVault;
  broker: Pick<ApprovalBroker, 'ask'>;
  door: Pick<EgressDoor, 'fetch'>;
  links: Pick<BrowserLinks, 'open'>;
  projection: Pick<ServerProjection, 'configs' | 'configOf' | 'wishes' | 'faceOf'>;
  /** States or open origins are others now. */
  changed(): void;
}

/** Sign-in as the house has it: asked through the broker, listened for on loopback, sent through the door. */
export function openSignIn(parts: SignInDeskParts): SignIn {
  const { clock, vault, door, projection, broker } = parts;
  return new SignIn({
    clock,
    store: new SignInStore({ document: openSignInsFile(parts.folder), vault }),
    nameOf: (id) => projection.configOf(id)?.name ?? null,
    isUp: (id) => (projection.wishes().get(id) ?? 'off') !== 'off',
    routeIdOf: routeIdForSignIn,
    doorFetch: (routeId) => door.fetch(routeId),
    async askPerson(id, plan, signal) {
      const face = projection.faceOf(id);
      if (!face) return false;
      const settled = await broker.ask(questionOf(id, face, plan), signal);
      return settled.kind === 'allowed';
    },
    openBrowser: (address) => parts.links.open(address),
    listen: listenForCallback,
    changed: () => parts.changed(),
  });
}

function questionOf(
  serverId: ServerId,
  { name, namespace, where, leaves }: NonNullable<ReturnType<ServerProjection['faceOf']>>,
  plan: SignInPlan,
): Parameters<ApprovalBroker['ask']>[0] {
  return {
    kind: 'sign-in',
    digest: sha256Hex(canonicalJson({ serverId, plan } as unknown as Json)),
    ...{ serverId, serverName: name, namespace, where, leaves },
    ...plan,
    address: plan.address === null ? null : toVisibleText(plan.address),
  };
}

/** What sign-ins have open, for the table of routes; a server that is off has nobody to renew its tokens for. */
export function signInRoutes(
  signIn: Pick<SignIn, 'openOrigins'>,
  projection: Pick<ServerProjection, 'configs' | 'wishes'>,
): NonNullable<RouteFacts['signIns']> {
  const wishes = projection.wishes();
  return projection.configs().map(({ id, name }) => {
    const on = (wishes.get(id) ?? 'off') !== 'off';
    return { serverId: id, name, on, origins: signIn.openOrigins(id) };
  });
}

/** Tokens follow neither an edited address nor a removed server (K3). An address with variables is known only when it is contacted. */
export function dropStrayTokens(signIn: Pick<SignIn, 'dropStrays'>, configOf: (id: ServerId) => ServerConfig | null): void {
  signIn.dropStrays((id, endpoint) => {
    const connection = configOf(id)?.connection;
    if (connection?.kind !== 'http') return false;
    return connection.endpoint.includes('${') || connection.endpoint === endpoint;
  });
}
