import { useState, type FormEvent } from 'react';
import { isUp } from '../app/gate-summary';
import { goTo } from '../app/navigation-store';
import { useArrived, useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Input } from '../ui/Field';
import list from '../ui/List.module.css';
import { Problem } from '../ui/Note';
import page from '../ui/Page.module.css';
import { Skeleton } from '../ui/Skeleton';
import { openServer } from './editing-store';
import { fileDrop } from './file-drop';
import { tokenWords } from './review-words';
import { ServerListRow } from './ServerListRow';
import styles from './Servers.module.css';
import { WorkspaceFolders } from './WorkspaceFolders';

function AddField() {
  const [text, setText] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    goTo({ screen: 'add-server', text });
  };
  return (
    <form aria-label="Add a server" className={styles.addField} onSubmit={submit}>
      <Input
        aria-label="Add a server: address, command line or pasted JSON"
        placeholder="Add a server: an address, a command line, or pasted JSON"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onPaste={(event) => {
          // A field of one line would fold the line ends of what was pasted.
          const pasted = event.clipboardData.getData('text/plain');
          if (!/[\r\n]/.test(pasted.trim())) return;
          event.preventDefault();
          goTo({ screen: 'add-server', text: pasted });
        }}
      />
      <Button type="submit">Add</Button>
    </form>
  );
}

function ImportButton() {
  const act = useAct();
  const choose = async () => {
    const outcome = await act.run('servers.readImport', {});
    if (outcome.ok && outcome.value.preview !== null) goTo({ screen: 'import-servers', preview: outcome.value.preview });
  };
  return (
    <div className={styles.importField}>
      <Button disabled={act.busy} onClick={() => void choose()}>
        Import from a file of another app
      </Button>
      <small>Or drop the file on this page.</small>
      <Problem text={act.problem} />
    </div>
  );
}

function NoServers() {
  const act = useAct();
  const addSample = async () => {
    const outcome = await act.run('servers.addSample', {});
    if (outcome.ok && outcome.value.id !== null) openServer(outcome.value.id);
  };
  return (
    <div className={list.group}>
      <div className={styles.empty}>
        <p>
          There is no server yet. A server brings tools, such as reading the files of one folder. The sample comes with
          Portcullis: you choose the one folder it sees, and it is off until you have reviewed it.
        </p>
        <Button look="strong" disabled={act.busy} onClick={() => void addSample()}>
          Add the sample server
        </Button>
        <Problem text={act.problem} />
      </div>
    </div>
  );
}

function ServerList() {
  const arrived = useArrived('servers');
  const servers = useView('servers', (all) => all);
  const tokens = servers.reduce((sum, { status, about }) => sum + (status.kind === 'on' ? (about.tokens ?? 0) : 0), 0);
  if (!arrived) return <Skeleton label="Reading the list of servers" />;
  if (servers.length === 0) return <NoServers />;
  return (
    <section className={page.section} aria-labelledby="servers-yours">
      <div className={page.sectionHead}>
        <h3 id="servers-yours">Your servers</h3>
        <small>
          {servers.length}, of which {servers.filter(isUp).length} on
          {tokens > 0 && ` · ${tokenWords(tokens)} each turn`}
        </small>
      </div>
      <ul className={list.group} aria-labelledby="servers-yours">
        {servers.map((server) => (
          <ServerListRow key={server.id} server={server} />
        ))}
      </ul>
    </section>
  );
}

/** The servers: each is off until what it runs, or where it goes, was seen and allowed. */
export function ServersPage() {
  const act = useAct();
  const [problem, setProblem] = useState<string | null>(null);
  const readDropped = async (dropped: { file: string; text: string }) => {
    setProblem(null);
    const outcome = await act.run('servers.readDropped', dropped);
    if (outcome.ok) goTo({ screen: 'import-servers', preview: outcome.value.preview });
  };
  return (
    <div className={styles.scroll} {...fileDrop((dropped) => void readDropped(dropped), setProblem)}>
      <div className={page.page}>
        <header className={page.pageHead}>
          <div>
            <h2>MCP servers</h2>
            <p>
              Servers bring tools to the chat. Each one is off until you have seen what it runs, or where it goes, and turned it
              on.
            </p>
          </div>
        </header>
        <AddField />
        <ImportButton />
        <Problem text={problem ?? act.problem} />
        <ServerList />
        <WorkspaceFolders />
      </div>
    </div>
  );
}
