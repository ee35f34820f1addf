import type { ReactNode } from 'react';
import type { Route, RouteUse } from '../../src-shared/egress/egress.schema';
import { routesOpenSentence } from '../app/gate-summary';
import { useArrived, useView } from '../host/mirror-store';
import { classNames } from '../ui/class-names';
import { Icon } from '../ui/Icon';
import list from '../ui/List.module.css';
import page from '../ui/Page.module.css';
import { Skeleton } from '../ui/Skeleton';
import states from '../ui/State.module.css';
import { useNow } from '../ui/use-now';
import { Ledger } from './Ledger';
import styles from './Privacy.module.css';
import { everySwitchSentence, groupRoutes, openAndClosed, programsSentence } from './route-groups';
import { RouteRow } from './RouteRow';

interface GroupProps {
  id: string;
  title: string;
  drawing?: ReactNode;
  routes: readonly Route[];
  use: readonly RouteUse[];
  now: number;
  empty: string;
}

function Group({ id, title, drawing, routes, use, now, empty }: GroupProps) {
  return (
    <section className={page.section} aria-labelledby={id}>
      <div className={page.sectionHead}>
        <h3 id={id}>
          {drawing}
          {title}
        </h3>
        {routes.length > 0 && <small>{openAndClosed(routes)}</small>}
      </div>
      {routes.length === 0 ? (
        <div className={list.group}>
          <p className={styles.groupEmpty}>{empty}</p>
        </div>
      ) : (
        <ul className={list.group}>
          {routes.map((route) => (
            <RouteRow key={route.id} route={route} use={use.find(({ routeId }) => routeId === route.id)} now={now} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Groups({ now }: { now: number }) {
  const routes = useView('egress', (egress) => egress.routes);
  const use = useView('egress', (egress) => egress.use);
  const { leaving, staying, cannotBeTurnedOff } = groupRoutes(routes);
  return (
    <>
      <Group
        id="privacy-leaves"
        title="Leaves this computer"
        drawing={
          <span className={classNames(states.state, states.stateLeave)}>
            <Icon name="leave" />
          </span>
        }
        routes={leaving}
        use={use}
        now={now}
        empty="No way out of this computer is set up."
      />
      <Group
        id="privacy-stays"
        title="Stays on this computer"
        drawing={
          <span className={classNames(states.state, states.stateStay)}>
            <Icon name="house" />
          </span>
        }
        routes={staying}
        use={use}
        now={now}
        empty="Nothing is set up here yet."
      />
      <Group
        id="privacy-always"
        title="Cannot be turned off"
        routes={cannotBeTurnedOff}
        use={use}
        now={now}
        empty={everySwitchSentence(routes)}
      />
    </>
  );
}

function Headline() {
  const open = useView('egress', (egress) => egress.routes.filter((route) => route.on && route.leaves).length);
  const programs = useView('egress', (egress) => programsSentence(egress.routes));
  return (
    <header className={page.pageHead}>
      <div role="status">
        <h2 className={classNames(page.headline, styles.headline)}>{routesOpenSentence(open)}</h2>
        {programs !== null && <p className={styles.headlineSub}>{programs}</p>}
      </div>
    </header>
  );
}

/** What can leave, what did, and what this app cannot know. It prints as it stands. */
export function PrivacyPage() {
  const arrived = useArrived('egress');
  const now = useNow();
  // An empty table that has not arrived yet would claim that nothing leaves.
  if (!arrived) {
    return (
      <div className={styles.scroll}>
        <div className={page.page}>
          <Skeleton rows={5} label="Reading the table of routes" />
        </div>
      </div>
    );
  }
  return (
    <div className={styles.scroll}>
      <div className={classNames(page.page, styles.page)}>
        <Headline />
        <Groups now={now} />
        <Ledger now={now} />
        <section className={page.section} aria-labelledby="privacy-limits">
          <div className={page.sectionHead}>
            <h3 id="privacy-limits">What this page cannot know</h3>
          </div>
          <ul className={styles.limits}>
            <li>
              A program that runs on this computer can use the network by itself. The program is listed above; what it sends by
              itself is not.
            </li>
            <li>HTTPS hides what is said. It does not hide the host, the time or the size from the network you are on.</li>
            <li>What a host does with what it got.</li>
          </ul>
        </section>
      </div>
    </div>
  );
}
