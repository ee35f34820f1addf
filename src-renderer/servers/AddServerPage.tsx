import { useId, useState, type FormEvent } from 'react';
import type { ServerDraft, ServerId } from '../../src-shared/servers/server.schema';
import { understandTyped } from '../../src-shared/servers/typed-entry';
import { goTo } from '../app/navigation-store';
import { host } from '../host/host';
import { useView } from '../host/mirror-store';
import { Button } from '../ui/Button';
import { Field, TextArea } from '../ui/Field';
import { countOf } from '../ui/format';
import { Note, Problem } from '../ui/Note';
import page from '../ui/Page.module.css';
import { openServer } from './editing-store';
import { namespaceOf, toDraft, toEdit, type ServerEdit } from './server-edit';
import { ServerFields } from './ServerFields';
import form from './ServerForm.module.css';
import styles from './Servers.module.css';

interface Card {
  /** Says the same for the same draft, so that what was edited outlives a change of the text around it. */
  key: string;
  edit: ServerEdit;
  taken: readonly string[];
}

interface CardFate {
  edit?: ServerEdit;
  problem?: string;
  addedAs?: ServerId;
  leftOut?: true;
}
type Fates = Readonly<Record<string, CardFate>>;

/** Each card in turn: the short name of one is taken for those after it. */
function toCards(drafts: readonly ServerDraft[], fates: Fates, taken: readonly string[]): Card[] {
  const cards: Card[] = [];
  const used = [...taken];
  const seen = new Map<string, number>();
  for (const draft of drafts) {
    const text = JSON.stringify(draft);
    const nth = seen.get(text) ?? 0;
    seen.set(text, nth + 1);
    const key = `${nth} ${text}`;
    const fate = fates[key];
    if (fate?.addedAs !== undefined || fate?.leftOut) continue;
    const edit = fate?.edit ?? toEdit(draft);
    cards.push({ key, edit, taken: [...used] });
    used.push(namespaceOf(edit, used));
  }
  return cards;
}

interface CardViewProps {
  card: Card;
  problem: string | null;
  /** With several cards one can be left out. */
  several: boolean;
  onChange(edit: ServerEdit): void;
  onLeaveOut(): void;
}

function CardView({ card, problem, several, onChange, onLeaveOut }: CardViewProps) {
  const id = useId();
  return (
    <section className={form.card} aria-labelledby={id}>
      <div className={form.cardHead}>
        <h2 id={id}>
          <bdi>{card.edit.name.trim() || 'A server without a name'}</bdi>
        </h2>
        {several && (
          <Button look="quiet" small aria-label={`Leave out ${card.edit.name}`} onClick={onLeaveOut}>
            Leave out
          </Button>
        )}
      </div>
      <ServerFields edit={card.edit} taken={card.taken} onChange={onChange} />
      <Problem text={problem} />
    </section>
  );
}

/** Takes an address, a command line or pasted JSON, says what it understood, and adds it off (S1, S9). */
export function AddServerPage({ initialText }: { initialText: string }) {
  const [text, setText] = useState(initialText);
  const [fates, setFates] = useState<Fates>({});
  const [busy, setBusy] = useState(false);
  const servers = useView('servers', (all) => all);
  const taken = servers.flatMap(({ namespace }) => (namespace === null ? [] : [namespace]));

  const understood = understandTyped(text);
  const cards = understood.ok ? toCards(understood.value.drafts, fates, taken) : [];
  const set = (key: string, fate: CardFate) => setFates((all) => ({ ...all, [key]: { ...all[key], ...fate } }));
  // A refusal speaks of what stood there before.
  const edit = (key: string, edited: ServerEdit) => setFates((all) => ({ ...all, [key]: { edit: edited } }));

  const add = async (card: Card, draft: ServerDraft): Promise<{ id: ServerId } | string> => {
    const outcome = await host.call('servers.add', draft);
    if (!outcome.ok) return outcome.problem.message;
    set(card.key, { edit: card.edit, addedAs: outcome.value.id });
    return outcome.value;
  };
  const addAll = async (): Promise<void> => {
    let last: ServerId | null = null;
    let refused = false;
    for (const card of cards) {
      const draft = toDraft(card.edit, card.taken);
      const added = draft.ok ? await add(card, draft.value) : draft.problem;
      if (typeof added !== 'string') {
        last = added.id;
        continue;
      }
      refused = true;
      set(card.key, { edit: card.edit, problem: added });
    }
    if (refused || last === null) return;
    if (cards.length === 1) openServer(last);
    else goTo({ screen: 'servers' });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (busy || cards.length === 0) return;
    setBusy(true);
    void addAll().finally(() => setBusy(false));
  };

  const done = Object.values(fates).filter(({ addedAs }) => addedAs !== undefined).length;
  const untouched = text.trim() === '';
  return (
    <form className={form.withFoot} aria-label="Add servers" noValidate onSubmit={submit}>
      <div className={styles.scroll}>
        <div className={page.page}>
          <Field
            label="An address, a command line, or JSON from another app"
            error={untouched || understood.ok ? null : understood.problem}
          >
            {(control) => (
              <TextArea
                {...control}
                mono
                autoFocus
                rows={4}
                placeholder="https://mcp.example.com/mcp"
                value={text}
                onChange={(event) => setText(event.target.value)}
              />
            )}
          </Field>
          <div role="status" className={form.notes}>
            {understood.ok && <p>{understood.value.said}</p>}
            {done > 0 && <p>{countOf(done, 'server')} added, off. What stands below is not added yet.</p>}
            {understood.ok &&
              understood.value.notes.map((note) => (
                <Note key={note} role="leave">
                  {note}
                </Note>
              ))}
          </div>
          {cards.length > 0 && (
            <div className={form.foundList}>
              {cards.map((card) => (
                <CardView
                  key={card.key}
                  card={card}
                  problem={fates[card.key]?.problem ?? null}
                  several={cards.length > 1}
                  onChange={(edited) => edit(card.key, edited)}
                  onLeaveOut={() => set(card.key, { leftOut: true })}
                />
              ))}
            </div>
          )}
        </div>
      </div>
      <div className={form.foot}>
        <div className={form.footBar}>
          <span>What you add is off. You review it before it runs or is contacted.</span>
          <Button className={form.push} onClick={() => goTo({ screen: 'servers' })}>
            Don’t add
          </Button>
          <Button type="submit" look="strong" disabled={busy || cards.length === 0}>
            {cards.length > 1 ? `Add ${countOf(cards.length, 'server')} (they stay off)` : 'Add (it stays off)'}
          </Button>
        </div>
      </div>
    </form>
  );
}
