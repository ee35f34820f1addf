import { useState } from 'react';
import { useShallow } from 'zustand/shallow';
import { goTo } from '../app/navigation-store';
import { useArrived, useMirror } from '../host/mirror-store';
import { useAnswer } from '../host/use-act';
import { Button } from '../ui/Button';
import { Problem } from '../ui/Note';
import page from '../ui/Page.module.css';
import { Skeleton } from '../ui/Skeleton';
import { groupRunnable, toolKey, type ToolGroup } from './runnable-tools';
import { ToolForm, type ChosenTool } from './ToolForm';
import { ToolList } from './ToolList';
import styles from './ToolRunner.module.css';

function NoTools() {
  return (
    <div className={page.page}>
      <div className={page.pageHead}>
        <div>
          <h2>No tool is on.</h2>
          <p>Tools come from MCP servers. Turn a server on and tick the tools it brings; then each one can be run from here.</p>
        </div>
      </div>
      <div>
        <Button look="strong" onClick={() => goTo({ screen: 'servers' })}>
          See your servers
        </Button>
      </div>
    </div>
  );
}

function Chosen({ chosen }: { chosen: ChosenTool }) {
  const { serverId, rawName, digest } = chosen.tool;
  const described = useAnswer('tools.describe', `${toolKey(chosen.tool)} ${digest ?? ''}`, { serverId, rawName });
  if (described.state === 'loading') return <Skeleton label={`The form of ${rawName} is being made.`} rows={4} />;
  if (described.state === 'failed') return <Problem text={described.problem} />;
  return <ToolForm chosen={chosen} inputSchema={described.value.inputSchema} />;
}

function findChosen(groups: readonly ToolGroup[], key: string | null): ChosenTool | null {
  for (const { server, tools } of groups) {
    const tool = tools.find((candidate) => toolKey(candidate) === key);
    if (tool) return { server, tool };
  }
  return null;
}

/** Runs one tool by hand: pick it, fill in what its schema asks for, and meet the same approval as a model's call. */
export function ToolRunner() {
  const arrived = useArrived('tools');
  const [servers, tools] = useMirror(useShallow(({ views }) => [views.servers, views.tools] as const));
  const [wanted, setWanted] = useState('');
  const [key, setKey] = useState<string | null>(null);
  if (!arrived) return <Skeleton label="Your tools are being read." rows={5} />;
  const all = groupRunnable(servers, tools, '');
  if (all.length === 0) return <NoTools />;
  const chosen = findChosen(all, key);
  return (
    <div className={styles.runner}>
      <ToolList
        groups={groupRunnable(servers, tools, wanted)}
        wanted={wanted}
        chosen={chosen && key}
        onWanted={setWanted}
        onChoose={setKey}
      />
      {chosen ? (
        <Chosen key={key} chosen={chosen} />
      ) : (
        <p className={styles.nothing}>
          {key === null
            ? 'Choose a tool. Its form shows here, and nothing is sent before you have seen it whole.'
            : 'That tool is not on any more. Choose another one.'}
        </p>
      )}
    </div>
  );
}
