import type { CallName, ViewName, ViewValue } from '../../src-shared/ipc/contract';
import type { HostMessage, HostPipe } from '../../src-renderer/host/host';

export type SampleViews = { [N in ViewName]: ViewValue<N> };
type Reply = unknown | ((input: unknown) => unknown);

/** A main process made of sample values: publishes views, answers calls from a table, and keeps what was asked. */
export class FakeHostPipe implements HostPipe {
  readonly asked: { name: string; input: unknown }[] = [];
  readonly #listeners = new Set<(message: HostMessage) => void>();
  readonly #views: SampleViews;
  readonly #replies: { readonly [N in CallName]?: Reply };

  constructor(views: SampleViews, replies: { readonly [N in CallName]?: Reply } = {}) {
    this.#views = views;
    this.#replies = replies;
  }

  async call(name: string, input: unknown): Promise<unknown> {
    this.asked.push({ name, input });
    if (name === 'shell.ready')
      for (const view of Object.keys(this.#views) as ViewName[]) this.send({ view, value: this.#views[view] });
    const reply = this.#replies[name as CallName];
    return { ok: true, value: (typeof reply === 'function' ? reply(input) : reply) ?? {} };
  }

  subscribe(listener: (message: HostMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  publish<N extends ViewName>(view: N, value: SampleViews[N]): void {
    this.#views[view] = value;
    this.send({ view, value });
  }

  send(message: HostMessage): void {
    for (const listener of this.#listeners) listener(message);
  }
}
