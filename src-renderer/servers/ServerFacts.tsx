import type { ServerRow } from '../../src-shared/servers/server.schema';
import { isUp } from '../app/gate-summary';
import list from '../ui/List.module.css';
import { State } from '../ui/State';
import { factWords, stateWords, whereWords } from './server-words';
import styles from './Servers.module.css';

/** States that are too long to stand at the end of a row. */
export const isSentence = ({ status }: ServerRow): boolean => status.kind === 'refused' || status.kind === 'failed';

/** The lines under a server's name: where it runs or goes, and what else there is to say. The list and `/mcp` print the same. */
export function ServerFacts({ server }: { server: ServerRow }) {
  const up = isUp(server);
  const { words, ...look } = stateWords(server);
  return (
    <>
      <span className={list.rowFact}>
        {server.connection && (
          <State role={!up ? 'plain' : server.leaves ? 'leave' : 'stay'} icon={server.leaves ? 'leave' : 'house'}>
            {whereWords(server)}
          </State>
        )}
        {factWords(server).map((fact) => (
          <span key={fact} dir="auto">
            {fact}
          </span>
        ))}
      </span>
      {server.about.looksLike.map(({ name, words: mark }) => (
        <span key={mark} className={list.rowFact}>
          <State role="leave" icon="warning" className={styles.wraps}>
            “<bdi>{name}</bdi>” {mark}
          </State>
        </span>
      ))}
      {isSentence(server) && (
        <span className={list.rowFact}>
          <State {...look} className={styles.wraps}>
            {words}
          </State>
        </span>
      )}
    </>
  );
}
