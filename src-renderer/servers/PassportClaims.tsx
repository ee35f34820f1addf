import type { ServerAbout } from '../../src-shared/servers/server-about.schema';
import styles from './ServerPage.module.css';

const ERAS = { modern: 'without a session', legacy: 'with a session' } as const;

/** What the server claims of itself, told as a claim. Nothing is decided by it (A3). */
export function PassportClaims({ about }: { about: ServerAbout }) {
  const { claims } = about;
  if (claims === null) return null;
  const { name, version, protocol, era, offers } = claims;
  return (
    <>
      <div>
        <dt>It says</dt>
        <dd dir="auto">
          it is <bdi>{`${name} ${version}`.trim() || 'nobody'}</bdi>
        </dd>
      </div>
      <div>
        <dt>It speaks</dt>
        <dd>
          MCP <bdi>{protocol}</bdi>, {ERAS[era]}
        </dd>
      </div>
      <div className={styles.wide}>
        <dt>It offers</dt>
        <dd>{offers.length === 0 ? 'nothing, it says' : `${offers.join(', ')}, it says`}</dd>
      </div>
    </>
  );
}
