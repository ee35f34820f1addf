import { useState } from 'react';
import type { ModelRow } from '../../src-shared/models/model.schema';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { classNames } from '../ui/class-names';
import { Confirm } from '../ui/Confirm';
import list from '../ui/List.module.css';
import { Menu } from '../ui/Menu';
import { Note, Problem } from '../ui/Note';
import { State, WhereState } from '../ui/State';
import { Switch } from '../ui/Switch';
import text from '../ui/Text.module.css';
import styles from './Models.module.css';

function Facts({ model }: { model: ModelRow }) {
  if (model.refused !== null) {
    return (
      <span className={list.rowFact}>
        <State role="stop" className={styles.reason}>
          {`refused: ${model.refused}`}
        </State>
        {model.endpoint !== '' && <span className={classNames(text.mono, list.plain)}>{model.endpoint}</span>}
      </span>
    );
  }
  return (
    <span className={list.rowFact}>
      <WhereState leaves={model.leaves} where={model.host} on={model.on} />
      {!model.leaves && <span>{model.host}</span>}
      <span className={text.mono}>{model.model}</span>
      <span>{model.hasKey ? 'key saved' : 'no key'}</span>
    </span>
  );
}

function End({ model }: { model: ModelRow }) {
  if (model.refused !== null) return null;
  return model.on ? (
    <State role={model.leaves ? 'leave' : 'stay'} icon="check">
      on
    </State>
  ) : (
    <State role="off">off</State>
  );
}

interface ModelListRowProps {
  model: ModelRow;
  /** It was added just now: its row says that it is off, and what turning it on means. */
  fresh: boolean;
  onEdit(): void;
}

/** One model: its switch, where it is, and the acts on it. */
export function ModelListRow({ model, fresh, onEdit }: ModelListRowProps) {
  const act = useAct();
  const [removing, setRemoving] = useState(false);
  const setOn = (on: boolean) => void act.run('models.setOn', { id: model.id, on });
  const remove = async () => {
    const outcome = await act.run('models.remove', { id: model.id });
    if (outcome.ok) setRemoving(false);
  };
  return (
    <li>
      <div className={classNames(list.row, !model.on && list.rowOff)}>
        <Switch
          label={model.name}
          on={model.on}
          leaves={model.leaves}
          busy={act.busy}
          disabled={model.refused !== null && !model.on}
          onChange={setOn}
        />
        <div className={list.rowMain}>
          <span className={list.rowTitle} dir="auto" title={model.name}>
            {model.name}
          </span>
          <Facts model={model} />
        </div>
        <div className={list.rowEnd}>
          <End model={model} />
          <Menu
            label={`Acts on ${model.name}`}
            items={[
              { words: 'Edit', icon: 'pencil', act: onEdit },
              {
                words: 'Remove…',
                icon: 'close',
                stop: true,
                act: () => {
                  act.clear();
                  setRemoving(true);
                },
              },
            ]}
          />
        </div>
      </div>
      {fresh && !model.on && model.refused === null && (
        <div className={styles.under}>
          <Note
            role="off"
            icon={model.leaves ? 'leave' : 'house'}
            action={
              <Button small disabled={act.busy} onClick={() => setOn(true)}>
                Turn on
              </Button>
            }
          >
            It is added, and off. Turn it on to use it in a chat.{' '}
            {model.leaves
              ? `Your messages, the descriptions of the tools and the results of calls then leave to ${model.host}.`
              : 'Your messages then go to a program on this computer.'}
          </Note>
        </div>
      )}
      {act.problem !== null && !removing && (
        <div className={styles.under}>
          <Problem text={act.problem} />
        </div>
      )}
      {removing && (
        <Confirm
          title={`Remove ${model.name}?`}
          keep="Keep it"
          act="Remove"
          busy={act.busy}
          problem={act.problem}
          onKeep={() => setRemoving(false)}
          onAct={() => void remove()}
        >
          <p>
            {model.hasKey
              ? 'It is turned off, and its key is deleted from this computer.'
              : 'It is turned off and leaves this list.'}{' '}
            Your chats and the ledger under Privacy stay.
          </p>
        </Confirm>
      )}
    </li>
  );
}
