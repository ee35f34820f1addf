import { useId, useRef, useState, type KeyboardEvent } from 'react';
import { Search } from '../ui/Field';
import { WhereState } from '../ui/State';
import { stepTo, toolKey, type ToolGroup } from './runnable-tools';
import styles from './ToolRunner.module.css';

interface ToolListProps {
  groups: readonly ToolGroup[];
  wanted: string;
  chosen: string | null;
  onWanted(words: string): void;
  onChoose(key: string): void;
}

// Raw names hold any character, and an id of the page holds no blanks.
const optionId = (key: string | null): string | undefined => (key === null ? undefined : `tool-${encodeURIComponent(key)}`);

const MOVES: ReadonlySet<string> = new Set(['ArrowDown', 'ArrowUp', 'Home', 'End']);

function Group({ group, id, chosen, active, onChoose }: GroupProps) {
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} role="presentation" className={styles.groupHead}>
        <span className={styles.groupName} dir="auto">
          {group.server.name}
        </span>
        <WhereState leaves={group.server.leaves} where={group.server.where} className={styles.groupWhere} />
      </div>
      {group.tools.map((tool) => {
        const key = toolKey(tool);
        return (
          <div
            key={key}
            id={optionId(key)}
            role="option"
            aria-selected={key === chosen}
            data-active={key === active ? '' : undefined}
            className={styles.runnerTool}
            title={tool.description}
            onClick={() => onChoose(key)}
          >
            <code>{tool.rawName}</code>
            <small dir="auto">{tool.title || tool.description}</small>
          </div>
        );
      })}
    </div>
  );
}

interface GroupProps {
  group: ToolGroup;
  id: string;
  chosen: string | null;
  active: string | null;
  onChoose(key: string): void;
}

/** Every tool that is on, by server. The arrows move through it from the search field as well, and Enter chooses. */
export function ToolList({ groups, wanted, chosen, onWanted, onChoose }: ToolListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [reached, setReached] = useState<string | null>(null);
  const tools = groups.flatMap((group) => group.tools);
  const isListed = (key: string | null): key is string => tools.some((tool) => toolKey(tool) === key);
  const active = isListed(reached) ? reached : isListed(chosen) ? chosen : null;

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const inSearch = event.target !== list.current;
    if (MOVES.has(event.key) && !(inSearch && (event.key === 'Home' || event.key === 'End'))) {
      event.preventDefault();
      const next = stepTo(tools, active, event.key);
      setReached(next);
      document.getElementById(optionId(next) ?? '')?.scrollIntoView({ block: 'nearest' });
    }
    const first = tools[0] ? toolKey(tools[0]) : null;
    const choice = active ?? (inSearch && wanted !== '' ? first : null);
    if (event.key === 'Enter' && choice !== null) {
      event.preventDefault();
      setReached(choice);
      onChoose(choice);
    }
  };
  return (
    <section className={styles.runnerList} aria-label="Tools" onKeyDown={onKeyDown}>
      <Search
        aria-label="Find a tool"
        placeholder="Find a tool"
        autoFocus
        value={wanted}
        aria-controls={id}
        aria-activedescendant={optionId(active)}
        onChange={(event) => {
          setReached(null);
          onWanted(event.target.value);
        }}
      />
      <div
        ref={list}
        id={id}
        className={styles.runnerTools}
        role="listbox"
        aria-label="Tools, by server"
        tabIndex={0}
        aria-activedescendant={optionId(active)}
      >
        {groups.map((group) => (
          <Group
            key={group.server.id}
            group={group}
            id={`${id}-${group.server.id}`}
            chosen={chosen}
            active={active}
            onChoose={(key) => {
              setReached(key);
              onChoose(key);
            }}
          />
        ))}
      </div>
      {groups.length === 0 && <p className={styles.none}>No tool that is on has these words.</p>}
    </section>
  );
}
