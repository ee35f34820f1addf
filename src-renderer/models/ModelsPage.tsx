import { useState } from 'react';
import type { ModelDraft, ModelId, ModelRow } from '../../src-shared/models/model.schema';
import { goTo } from '../app/navigation-store';
import { useArrived, useView } from '../host/mirror-store';
import { useAct } from '../host/use-act';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import list from '../ui/List.module.css';
import page from '../ui/Page.module.css';
import { Skeleton } from '../ui/Skeleton';
import { ModelForm } from './ModelForm';
import { ModelListRow } from './ModelListRow';
import styles from './Models.module.css';

const showAdding = (adding: boolean): void => goTo({ screen: 'models', adding });

function AddForm({ onAdded }: { onAdded(id: ModelId): void }) {
  const act = useAct();
  const add = async (draft: ModelDraft) => {
    const outcome = await act.run('models.add', draft);
    if (outcome.ok) onAdded(outcome.value.id);
  };
  return <ModelForm model={null} act={act} onSave={(draft) => void add(draft)} onKeep={() => showAdding(false)} />;
}

function EditForm({ model, onDone }: { model: ModelRow; onDone(): void }) {
  const act = useAct();
  const update = async (draft: ModelDraft) => {
    const outcome = await act.run('models.update', { id: model.id, draft });
    if (outcome.ok) onDone();
  };
  return <ModelForm model={model} act={act} onSave={(draft) => void update(draft)} onKeep={onDone} />;
}

function NoModels() {
  return (
    <div className={list.group}>
      <div className={styles.empty}>
        <p>
          There is no model yet. A model reads your messages and answers; it can ask for tools, and none runs before you allow it.
          Without a model you can still run tools by hand.
        </p>
        <Button look="strong" onClick={() => showAdding(true)}>
          <Icon name="plus" />
          Add a model
        </Button>
      </div>
    </div>
  );
}

function ModelList({ adding, fresh }: { adding: boolean; fresh: ModelId | null }) {
  const arrived = useArrived('models');
  const models = useView('models', (all) => all);
  const [editing, setEditing] = useState<ModelId | null>(null);
  if (!arrived) return <Skeleton label="Reading the list of models" />;
  if (models.length === 0) return adding ? null : <NoModels />;
  const on = models.filter((model) => model.on).length;
  return (
    <section className={page.section} aria-labelledby="models-yours">
      <div className={page.sectionHead}>
        <h3 id="models-yours">Your models</h3>
        <small>
          {models.length}, of which {on} on
        </small>
      </div>
      <ul className={list.group}>
        {models.map((model) =>
          model.id === editing ? (
            <li key={model.id}>
              <EditForm model={model} onDone={() => setEditing(null)} />
            </li>
          ) : (
            <ModelListRow key={model.id} model={model} fresh={model.id === fresh} onEdit={() => setEditing(model.id)} />
          ),
        )}
      </ul>
    </section>
  );
}

/** The models: each one is off, and is sent nothing, until it is turned on. */
export function ModelsPage({ adding }: { adding: boolean }) {
  const some = useView('models', (all) => all.length > 0);
  const [fresh, setFresh] = useState<ModelId | null>(null);
  return (
    <div className={styles.scroll}>
      <div className={page.page}>
        <header className={page.pageHead}>
          <div>
            <h2>Models</h2>
            <p>
              A model on this computer stays here. One at a provider is a route that leaves. Each is off, and is sent nothing,
              until you turn it on.
            </p>
          </div>
          {some && !adding && (
            <Button onClick={() => showAdding(true)}>
              <Icon name="plus" />
              Add a model
            </Button>
          )}
        </header>
        {adding && (
          <div className={styles.card}>
            <AddForm
              onAdded={(id) => {
                setFresh(id);
                showAdding(false);
              }}
            />
          </div>
        )}
        <ModelList adding={adding} fresh={fresh} />
      </div>
    </div>
  );
}
