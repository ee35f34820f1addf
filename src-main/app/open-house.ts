import { ViewPublisher, type WindowMessage } from '../ipc/publish-views';
import { answerCall } from '../ipc/serve-calls';
import { compose, type ComposeParts, type House } from './compose';

/** The house with its front door: what the window asks and what it is told, both checked. */
export interface OpenHouse extends Pick<House, 'goTo' | 'end'> {
  answer(name: unknown, input: unknown): Promise<unknown>;
  windowGone(): void;
}

/** Everything that is not needed to show a window. `main` loads this module while the window comes up. */
export async function openHouse(
  parts: Omit<ComposeParts, 'publisher'> & { send(message: WindowMessage): void },
): Promise<OpenHouse> {
  const publisher = new ViewPublisher(parts.clock, parts.send);
  const house = await compose({ ...parts, publisher });
  return {
    goTo: house.goTo,
    end: () => house.end(),
    answer: (name, input) => answerCall(house.handlers, name, input),
    windowGone() {
      publisher.windowGone();
      house.windowGone();
    },
  };
}
