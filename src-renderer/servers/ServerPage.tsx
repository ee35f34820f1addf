import { Tabs } from 'radix-ui';
import type { ReactNode } from 'react';
import type { ServerId, ServerRow } from '../../src-shared/servers/server.schema';
import { goTo } from '../app/navigation-store';
import { useArrived, useView } from '../host/mirror-store';
import { useAct, type Act } from '../host/use-act';
import { Button } from '../ui/Button';
import { Code } from '../ui/Code';
import { Note } from '../ui/Note';
import page from '../ui/Page.module.css';
import { Skeleton } from '../ui/Skeleton';
import tabs from '../ui/Tabs.module.css';
import { EditServer } from './EditServer';
import { editServer, useEditing } from './editing-store';
import { LimitsTab } from './LimitsTab';
import { LogTab } from './LogTab';
import { LookAtTools } from './LookAtTools';
import { Passport } from './Passport';
import { toDraft, toEdit } from './server-edit';
import styles from './ServerPage.module.css';
import list from './Servers.module.css';
import { retryWords } from './server-words';
import { SignInButton } from './SignInButton';
import { SignInTab } from './SignInTab';
import { switchServer } from './switch-server';
import { ToolsTab } from './ToolsTab';
import { TrustTab } from './TrustTab';
import { WireForm } from './WireForm';

function Frame({ children }: { children: ReactNode }) {
  return (
    <div className={list.scroll}>
      <div className={page.page}>{children}</div>
    </div>
  );
}

function Gone() {
  return (
    <div className={styles.gone}>
      <p>This server was removed.</p>
      <Button onClick={() => goTo({ screen: 'servers' })}>Back to MCP servers</Button>
    </div>
  );
}

/** What is wrong, in a sentence, and the one next step. */
function Trouble({ server, act }: { server: ServerRow; act: Act }) {
  const { status, id, enabled } = server;
  switch (status.kind) {
    case 'failed':
      return (
        <section className={styles.trouble} aria-label="What went wrong">
          <Note
            role="stop"
            action={
              <>
                <SignInButton server={server} act={act} />
                <Button
                  small
                  disabled={act.busy}
                  onClick={() => void (enabled ? act.run('servers.retry', { id }) : switchServer(act, id, true))}
                >
                  Retry
                </Button>
              </>
            }
          >
            {status.problem}
          </Note>
          {enabled && <p className={styles.retry}>{retryWords(status.retryAt)}</p>}
          {status.log.length > 0 && <Code label={`Last lines of ${server.name}`}>{status.log.join('\n')}</Code>}
        </section>
      );
    case 'refused':
      return <Note role="stop">{status.reason} Until then it is never started or contacted.</Note>;
    case 'needs-name':
      return <NeedsName server={server} suggestion={status.suggestion} act={act} />;
    case 'needs-review':
      return (
        <Note role="wait">
          {status.because === 'never-approved'
            ? 'It is meant to be on, but you have not approved it. It is off until you review it.'
            : 'It changed since you approved it. It is off until you review it again.'}
        </Note>
      );
    default:
      return null;
  }
}

function NeedsName({ server, suggestion, act }: { server: ServerRow; suggestion: string; act: Act }) {
  const { id, name, connection } = server;
  const accept = () => {
    if (!connection) return;
    const draft = toDraft(toEdit({ name, namespace: suggestion, connection }), []);
    if (draft.ok) void act.run('servers.update', { id, draft: draft.value });
    else editServer(id);
  };
  return (
    <Note
      role="wait"
      icon="pencil"
      action={
        <>
          <Button small disabled={act.busy} onClick={accept}>
            Use {suggestion}
          </Button>
          <Button small onClick={() => editServer(id)}>
            Choose another
          </Button>
        </>
      }
    >
      It needs a short name before it can be turned on: its tools are called by it.
    </Note>
  );
}

function Details({ server }: { server: ServerRow }) {
  return (
    <Tabs.Root defaultValue="tools" className={styles.details}>
      <Tabs.List className={tabs.tabs} aria-label={`${server.name}, in detail`}>
        <Tabs.Trigger className={tabs.tab} value="tools">
          Tools
        </Tabs.Trigger>
        <Tabs.Trigger className={tabs.tab} value="log">
          Log
        </Tabs.Trigger>
        <Tabs.Trigger className={tabs.tab} value="limits">
          Limits
        </Tabs.Trigger>
        {server.connection?.kind === 'http' && (
          <Tabs.Trigger className={tabs.tab} value="sign-in">
            Sign-in
          </Tabs.Trigger>
        )}
        <Tabs.Trigger className={tabs.tab} value="trust">
          Trust
        </Tabs.Trigger>
      </Tabs.List>
      <Tabs.Content className={styles.tabBody} value="tools">
        <ToolsTab server={server} />
      </Tabs.Content>
      <Tabs.Content className={styles.tabBody} value="log">
        <LogTab server={server} />
      </Tabs.Content>
      <Tabs.Content className={styles.tabBody} value="limits">
        <LimitsTab key={server.id} server={server} />
        <details className={styles.fold}>
          <summary>How it is spoken to</summary>
          <WireForm key={server.id} server={server} />
        </details>
      </Tabs.Content>
      <Tabs.Content className={styles.tabBody} value="sign-in">
        <SignInTab key={server.id} server={server} />
      </Tabs.Content>
      <Tabs.Content className={styles.tabBody} value="trust">
        <TrustTab server={server} />
      </Tabs.Content>
    </Tabs.Root>
  );
}

/** One server: who it is, its tools, its log and its trust. */
export function ServerPage({ id }: { id: ServerId }) {
  const act = useAct();
  const arrived = useArrived('servers');
  const server = useView('servers', (all) => all.find((row) => row.id === id));
  const editing = useEditing((state) => state.id === id);
  if (!server) return <Frame>{arrived ? <Gone /> : <Skeleton label="Reading the server" />}</Frame>;
  const { status, connection } = server;
  return (
    <Frame>
      {editing && connection ? (
        <EditServer server={server} connection={connection} />
      ) : (
        <>
          <Passport server={server} act={act} />
          <Trouble server={server} act={act} />
          {status.kind === 'looking' ? (
            <LookAtTools server={server} phase={status.phase} />
          ) : (
            status.kind !== 'refused' && <Details server={server} />
          )}
        </>
      )}
    </Frame>
  );
}
