import type { Page } from '@playwright/test';
import type { ViewName, ViewValue } from '../src-shared/ipc/contract';

/** The current value of one view, as main publishes it to the window. Only reads. */
export async function readView<N extends ViewName>(page: Page, name: N): Promise<ViewValue<N>> {
  const value = await page.evaluate(
    (wanted) =>
      new Promise<unknown>((done) => {
        const stop = window.host.subscribe((message) => {
          if (!('view' in message) || message.view !== wanted) return;
          stop();
          done(message.value);
        });
        void window.host.call('shell.ready', {});
      }),
    name,
  );
  return value as ViewValue<N>;
}
