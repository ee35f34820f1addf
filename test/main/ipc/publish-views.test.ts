import { describe, expect, test } from 'vitest';
import { COALESCE_MS, ViewPublisher, type WindowMessage } from '../../../src-main/ipc/publish-views';
import { FakeClock } from '../../support/fake-clock';

function setUp() {
  const clock = new FakeClock();
  const sent: WindowMessage[] = [];
  const publisher = new ViewPublisher(clock, (message) => sent.push(message));
  return { clock, sent, publisher };
}

describe('ViewPublisher', () => {
  test('sends every view once the window is ready, and nothing before', () => {
    const { publisher, sent, clock } = setUp();
    publisher.publish('servers', () => []);
    publisher.publish('models', () => []);
    publisher.changed('servers');
    clock.advance(COALESCE_MS);
    expect(sent).toEqual([]);
    publisher.windowReady();
    expect(sent).toEqual([
      { view: 'servers', value: [] },
      { view: 'models', value: [] },
    ]);
  });

  test('turns a storm of changes into one send of the latest value', () => {
    const { publisher, sent, clock } = setUp();
    let banners: string[] = [];
    publisher.publish('shell', () => ({ appVersion: '1', platform: 'linux', keychain: 'ready', banners, goTo: null }));
    publisher.windowReady();
    sent.length = 0;
    for (let nth = 0; nth < 1000; nth++) {
      banners = [`number ${nth}`];
      publisher.changed('shell');
    }
    clock.advance(COALESCE_MS);
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({ value: { banners: ['number 999'] } });
  });

  test('S5: a field the contract does not name never leaves main', () => {
    const { publisher, sent } = setUp();
    const model = {
      id: 'model-1',
      name: 'm',
      endpoint: '',
      model: 'x',
      hasKey: true,
      on: false,
      leaves: false,
      host: '',
      refused: null,
    };
    publisher.publish('models', () => [{ ...model, key: 'hunter2' } as never]);
    publisher.windowReady();
    expect(JSON.stringify(sent)).not.toContain('hunter2');
  });

  test('A5: a view that cannot be told keeps no other view back, the questions that wait least of all', () => {
    const { publisher, sent, clock } = setUp();
    publisher.publish('servers', () => [{ broken: true } as never]);
    publisher.publish('approvals', () => []);
    expect(() => publisher.windowReady()).toThrow();
    expect(sent).toEqual([{ view: 'approvals', value: [] }]);
    publisher.changed('approvals');
    clock.advance(COALESCE_MS);
    expect(sent).toHaveLength(2);
  });

  test('one view has one publisher', () => {
    const { publisher } = setUp();
    publisher.publish('servers', () => []);
    expect(() => publisher.publish('servers', () => [])).toThrow('has a publisher already');
  });
});
