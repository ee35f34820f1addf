import { useState } from 'react';
import type { ServerRow } from '../../src-shared/servers/server.schema';
import { isUp } from '../app/gate-summary';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { classNames } from '../ui/class-names';
import list from '../ui/List.module.css';
import { Menu, type MenuItem } from '../ui/Menu';
import { Problem } from '../ui/Note';
import { State } from '../ui/State';
import { Switch } from '../ui/Switch';
import { editServer, openServer } from './editing-store';
import { RemoveServer } from './RemoveServer';
import { reviewWords } from './review-words';
import { isSentence, ServerFacts } from './ServerFacts';
import { stateWords } from './server-words';
import styles from './Servers.module.css';
import { SignInButton } from './SignInButton';
import { switchServer } from './switch-server';

/** One server: its switch, where it goes, where it stands, and the acts on it. */
export function ServerListRow({ server }: { server: ServerRow }) {
  const act = useAct();
  const [removing, setRemoving] = useState(false);
  const { status } = server;
  const up = isUp(server);
  const { words, ...look } = stateWords(server);
  const failing = status.kind === 'failed';
  const retry = () => void act.run('servers.retry', { id: server.id });
  const open = () => openServer(server.id);
  const items: MenuItem[] = [
    { words: 'Open', icon: 'chevron-right', act: open },
    ...(server.connection ? [{ words: 'Rename or edit', icon: 'pencil', act: () => editServer(server.id) } as const] : []),
    ...(failing && up ? [{ words: 'Retry', icon: 'clock', act: retry } as const] : []),
    ...(server.approvedAt !== null && status.kind === 'needs-review'
      ? [{ words: 'Forget the approval', icon: 'close', act: () => void act.run('servers.revoke', { id: server.id }) } as const]
      : []),
    { words: 'Remove…', icon: 'close', stop: true, act: () => setRemoving(true) },
  ];
  return (
    <li>
      <div className={classNames(list.row, !up && list.rowOff)}>
        <Switch
          label={server.name}
          on={up}
          leaves={server.leaves}
          busy={act.busy || status.kind === 'starting' || status.kind === 'looking'}
          disabled={status.kind === 'refused' || status.kind === 'needs-name'}
          onChange={(on) => void switchServer(act, server.id, on)}
        />
        <div className={list.rowMain}>
          <button type="button" className={list.rowTitle} dir="auto" title={server.name} onClick={open}>
            {server.name}
          </button>
          <ServerFacts server={server} />
        </div>
        <div className={list.rowEnd}>
          {!isSentence(server) && <State {...look}>{words}</State>}
          <SignInButton server={server} act={act} />
          {failing && up && (
            <Button small disabled={act.busy} aria-label={`Retry ${server.name}`} onClick={retry}>
              Retry
            </Button>
          )}
          {status.kind === 'needs-review' && (
            <Button
              small
              disabled={act.busy}
              aria-label={`Review ${server.name}`}
              onClick={() => void switchServer(act, server.id, true)}
            >
              Review
            </Button>
          )}
          {status.kind === 'on' && reviewWords(server.about) !== '' && (
            <Button small aria-label={`Review ${server.name}`} onClick={open}>
              Review
            </Button>
          )}
          {status.kind === 'looking' && (
            <Button small aria-label={`Look at the tools of ${server.name}`} onClick={open}>
              Look
            </Button>
          )}
          {status.kind === 'needs-name' && (
            <Button small aria-label={`Name it: ${server.name}`} onClick={() => editServer(server.id)}>
              Name it
            </Button>
          )}
          <Menu label={`Acts on ${server.name}`} items={items} />
        </div>
      </div>
      {act.problem !== null && (
        <div className={styles.under}>
          <Problem text={act.problem} />
        </div>
      )}
      {removing && <RemoveServer server={server} onKeep={() => setRemoving(false)} onRemoved={() => setRemoving(false)} />}
    </li>
  );
}
