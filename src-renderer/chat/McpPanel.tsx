import { useEffect, useRef } from 'react';
import { goTo } from '../app/navigation-store';
import { useView } from '../host/mirror-store';
import { openServer } from '../servers/editing-store';
import { isSentence, ServerFacts } from '../servers/ServerFacts';
import { stateWords } from '../servers/server-words';
import { Button } from '../ui/Button';
import list from '../ui/List.module.css';
import { State } from '../ui/State';
import styles from './McpPanel.module.css';

/** What is typed for it. It is told to nobody. */
export const MCP_COMMAND = '/mcp';

/** The servers as Settings lists them, printed in the chat window: the same rows, by the same words. */
export function McpPanel({ onClose }: { onClose(): void }) {
  const servers = useView('servers', (all) => all);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section
      className={styles.panel}
      aria-labelledby="mcp-panel"
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <div className={styles.head}>
        <h3 id="mcp-panel" ref={heading} tabIndex={-1}>
          MCP servers
        </h3>
        <Button small look="quiet" onClick={() => goTo({ screen: 'servers' })}>
          Open in Settings
        </Button>
        <Button small onClick={onClose}>
          Close
        </Button>
      </div>
      {servers.length === 0 && <p>There is no server yet.</p>}
      {servers.length > 0 && (
        <ul className={list.group} aria-labelledby="mcp-panel">
          {servers.map((server) => {
            const { words, ...look } = stateWords(server);
            return (
              <li key={server.id} className={list.row}>
                <div className={list.rowMain}>
                  <button
                    type="button"
                    className={list.rowTitle}
                    dir="auto"
                    title={server.name}
                    onClick={() => openServer(server.id)}
                  >
                    {server.name}
                  </button>
                  <ServerFacts server={server} />
                </div>
                {!isSentence(server) && (
                  <div className={list.rowEnd}>
                    <State {...look}>{words}</State>
                  </div>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
