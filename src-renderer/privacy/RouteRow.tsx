import type { Route, RouteUse } from '../../src-shared/egress/egress.schema';
import { routeIdForModel, routeIdForServer } from '../../src-shared/egress/route-table';
import { useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { switchServer } from '../servers/switch-server';
import { countOf, formatBytes, formatMoment } from '../ui/format';
import { Problem } from '../ui/Note';
import { State, type GateRole } from '../ui/State';
import { Switch } from '../ui/Switch';
import text from '../ui/Text.module.css';
import styles from './Privacy.module.css';
import { isCounted } from './route-groups';
import { Spark } from './Spark';

const roleOf = ({ on, leaves }: Route): GateRole => (!on ? 'off' : leaves ? 'leave' : 'stay');

function RouteSwitch({
  route,
  onChange,
  busy,
  broken,
}: {
  route: Route;
  onChange(on: boolean): void;
  busy: boolean;
  broken: boolean;
}) {
  if (!route.switchable) {
    return (
      <State role={roleOf(route)} icon={null}>
        {route.on ? 'on' : 'off'}
      </State>
    );
  }
  // One that is open can always be closed.
  return (
    <Switch
      label={route.name}
      on={route.on}
      leaves={route.leaves}
      busy={busy}
      disabled={broken && !route.on}
      onChange={onChange}
    />
  );
}

function Use({ route, use }: { route: Route; use: RouteUse | undefined }) {
  if (!isCounted(route)) return <span>not counted here</span>;
  if (!use || use.times === 0) return <span>none in 30 days</span>;
  const times = countOf(use.times, 'time');
  const bytes = `${formatBytes(use.bytesOut)} out, ${formatBytes(use.bytesIn)} in`;
  return (
    <>
      <Spark days={use.days} leaves={route.leaves} label={`30 days: ${times}, ${bytes}`} />
      <span>{times}</span>
      <span>{bytes}</span>
    </>
  );
}

/** One way out, or one way that stays: its switch, what goes there, where, and how much went. */
export function RouteRow({ route, use, now }: { route: Route; use: RouteUse | undefined; now: number }) {
  const act = useAct();
  const model = useView('models', (all) => all.find(({ id }) => routeIdForModel(id) === route.id));
  const server = useView('servers', (all) => all.find(({ id }) => routeIdForServer(id) === route.id));
  const signedIn = useView('servers', (all) => all.find(({ id }) => route.id.startsWith(`sign-in-${id}-`)));
  const status = (server ?? signedIn)?.status.kind;
  const change = (on: boolean) => {
    if (model) void act.run('models.setOn', { id: model.id, on });
    // Closed by signing out; the way opens again with the next sign-in.
    if (signedIn && !on) void act.run('signIn.signOut', { id: signedIn.id });
    // Turning on leads to the review and from there to the server's page.
    if (server) void switchServer(act, server.id, on);
  };
  const lastAt = use?.lastAt ?? null;
  return (
    <li className={styles.route}>
      <RouteSwitch
        route={route}
        busy={status === 'starting' || status === 'looking'}
        broken={
          model
            ? model.refused !== null
            : signedIn !== undefined || status === undefined || status === 'refused' || status === 'needs-name'
        }
        onChange={change}
      />
      <div className={styles.routeWho}>
        <b dir="auto">{route.name}</b>
        <p className={styles.routeSends}>{route.sends}</p>
        <Problem text={act.problem} />
      </div>
      <div className={styles.routeHost}>
        <State role={roleOf(route)} className={styles.state}>
          {route.where}
        </State>
        {isCounted(route) && <span className={text.faint}>{lastAt === null ? 'never' : formatMoment(lastAt, now)}</span>}
      </div>
      <div className={styles.routeUse}>
        <Use route={route} use={use} />
      </div>
    </li>
  );
}
