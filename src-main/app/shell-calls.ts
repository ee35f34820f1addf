import { ok } from '../../src-shared/base/result';
import type { CallHandlers } from '../../src-shared/ipc/contract';
import type { ViewPublisher } from '../ipc/publish-views';

export function shellCalls(publisher: Pick<ViewPublisher, 'windowReady'>): Pick<CallHandlers, 'shell.ready'> {
  return {
    'shell.ready': async () => {
      publisher.windowReady();
      return ok({});
    },
  };
}
