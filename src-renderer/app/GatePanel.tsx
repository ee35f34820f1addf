import type { Act } from '../host/use-act';
import { useView } from '../host/mirror-store';
import { switchServer } from '../servers/switch-server';
import { Button, LinkButton } from '../ui/Button';
import { countOf } from '../ui/format';
import { Problem } from '../ui/Note';
import { State } from '../ui/State';
import { Switch } from '../ui/Switch';
import { isUp, routesOpenSentence, type GateSummary } from './gate-summary';
import styles from './GateChip.module.css';
import { goTo } from './navigation-store';
import { reviewWaiting } from './review-waiting';

interface GateLine {
  key: string;
  name: string;
  where: string;
  on: boolean;
  leaves: boolean;
  busy: boolean;
  disabled: boolean;
  change(on: boolean): void;
}

function Line({ line }: { line: GateLine }) {
  return (
    <li className={styles.gateLine}>
      <span className={styles.gateLineMain}>
        <span dir="auto">{line.name}</span>
        <State role={!line.on ? 'off' : line.leaves ? 'leave' : 'stay'} className={styles.small}>
          {line.where}
        </State>
      </span>
      <Switch
        label={line.name}
        on={line.on}
        leaves={line.leaves}
        busy={line.busy}
        disabled={line.disabled}
        onChange={line.change}
      />
    </li>
  );
}

/** The gate, opened up: every server and model with its switch. Turning a server on leads to its review. */
export function GatePanel({ gate, act, onGone }: { gate: GateSummary; act: Act; onGone(): void }) {
  const servers = useView('servers', (all) => all);
  const models = useView('models', (all) => all);
  const lines: GateLine[] = [
    ...models.map((model) => ({
      key: model.id,
      name: model.name,
      where: model.host,
      on: model.on,
      leaves: model.leaves,
      busy: false,
      disabled: model.refused !== null,
      change: (on: boolean) => void act.run('models.setOn', { id: model.id, on }),
    })),
    ...servers.map((server) => ({
      key: server.id,
      name: server.name,
      where: server.where,
      on: isUp(server),
      leaves: server.leaves,
      busy: server.status.kind === 'starting' || server.status.kind === 'looking',
      disabled: server.status.kind === 'refused' || server.status.kind === 'needs-name',
      change: (on: boolean) => void switchServer(act, server.id, on),
    })),
  ];
  const leaving = lines.filter((line) => line.leaves);
  const staying = lines.filter((line) => !line.leaves);
  return (
    <>
      <h2>{routesOpenSentence(gate.leaves)}</h2>
      <div className={styles.scroll}>
        {gate.waiting > 0 && (
          <div className={styles.gateLine}>
            <State role="wait">
              {gate.waiting === 1 ? '1 request is waiting for you' : `${gate.waiting} requests are waiting for you`}
            </State>
            <Button
              small
              className={styles.pushEnd}
              onClick={() => {
                onGone();
                reviewWaiting();
              }}
            >
              Review
            </Button>
          </div>
        )}
        {lines.length === 0 && <p className={styles.none}>You have no servers and no models yet. Nothing is on.</p>}
        {leaving.length > 0 && (
          <>
            <h3>Leaves this computer</h3>
            <ul>
              {leaving.map((line) => (
                <Line key={line.key} line={line} />
              ))}
            </ul>
          </>
        )}
        {staying.length > 0 && (
          <>
            <h3>Stays on this computer</h3>
            <ul>
              {staying.map((line) => (
                <Line key={line.key} line={line} />
              ))}
            </ul>
          </>
        )}
        <Problem text={act.problem} />
      </div>
      <div className={styles.gatePopoverFoot}>
        <LinkButton
          className={styles.footLink}
          onClick={() => {
            onGone();
            goTo({ screen: 'privacy' });
          }}
        >
          See everything that was sent
        </LinkButton>
        <span className={styles.none}>{countOf(gate.on, 'server')} on</span>
      </div>
    </>
  );
}
