import { describe, expect, test } from 'vitest';
import { ServerDesk } from '../../../src-main/app/server-desk';
import { failed, ok, type Result } from '../../../src-shared/base/result';
import type { StoredServer } from '../../../src-shared/servers/server-rows';
import type { ServerConfig, ServerId } from '../../../src-shared/servers/server.schema';

const notes = 'notes' as ServerId;

const stored: StoredServer[] = [
  { kind: 'ok', config: { id: notes } as ServerConfig },
  { kind: 'refused', id: 'odd' as ServerId, name: 'Odd', reason: 'Plain http.', source: { kind: 'you' }, addedAt: 1 },
];

function setUp(startsWith: string | null = null) {
  const disk = { problem: startsWith };
  const halted = new Set<ServerId>();
  const acts: string[] = [];
  const act = (name: string) => (): void => void acts.push(name);
  const acting = (name: string) => (): Result<void, string> => {
    acts.push(name);
    return disk.problem === null ? ok(undefined) : failed(disk.problem);
  };
  const desk = new ServerDesk({
    servers: { list: () => stored, setEnabled: (_id, on) => acting(on ? 'intent on' : 'intent off')() },
    trust: {
      setRouteOn: (_id, on) => acting(on ? 'seal on' : 'seal off')(),
      revokeLaunch: acting('approval gone'),
      forget: acting('trust gone'),
      forgetEverything: acting('all trust gone'),
    },
    broker: { settleServer: act('questions settled') },
    grants: {
      serverStopped: act('grants of chats gone'),
      forgetServer: acting('grants gone'),
      revokeAll: acting('all grants gone'),
    },
    revokeWorkspaces: acting('no folder trusted'),
    flow: { forgetServer: act('cover gone') },
    review: { stopLooking: act('looking over') },
    catalog: { forget: act('tools gone') },
    attachables: { forget: act('attachables gone') },
    serverTools: { forget: act('instructions gone') },
    halted,
    changed: act('told'),
  });
  return { desk, acts, disk, halted };
}

describe('ServerDesk', () => {
  test('S10: turning on needs both the intent and the seal, the intent first', () => {
    const { desk, acts } = setUp();
    expect(desk.turnOn(notes)).toBeNull();
    expect(acts).toEqual(['intent on', 'seal on', 'looking over']);
  });

  test('S10: without the intent nothing is sealed', () => {
    const { desk, acts } = setUp('The file cannot be written.');
    expect(desk.turnOn(notes)).toBe('The file cannot be written.');
    expect(acts).not.toContain('seal on');
  });

  test('R2, A2: turning off settles its questions and ends its grants before anything else', () => {
    const { desk, acts } = setUp();
    expect(desk.turnOff(notes)).toBeNull();
    expect(acts).toEqual(['questions settled', 'grants of chats gone', 'cover gone', 'looking over', 'seal off', 'intent off']);
  });

  test('S10, W5: one whose files cannot be written is off all the same until it is turned on again', () => {
    const { desk, acts, disk, halted } = setUp('The file cannot be written.');
    expect(desk.turnOff(notes)).toBe('The file cannot be written.');
    expect([halted.has(notes), acts.at(-1)]).toEqual([true, 'told']);
    expect(desk.turnOn(notes)).toBe('The file cannot be written.');
    expect(halted.has(notes)).toBe(true);
    disk.problem = null;
    expect(desk.turnOn(notes)).toBeNull();
    expect([halted.has(notes), acts.at(-1)]).toEqual([false, 'told']);
  });

  test('S11: what is removed is not held back under its id', () => {
    const { desk, halted } = setUp('The file cannot be written.');
    desk.turnOff(notes);
    desk.forget(notes);
    expect(halted.size).toBe(0);
  });

  test('T4: revoking stops and takes the approval back, also when the file cannot be written', () => {
    const { desk, acts } = setUp('The file cannot be written.');
    expect(desk.revoke(notes)).toBe('The file cannot be written.');
    expect(acts).toEqual(expect.arrayContaining(['seal off', 'grants gone', 'approval gone']));
  });

  test('T4: revoking everything stops every server and leaves no approval, review or grant', () => {
    const { desk, acts } = setUp();
    expect(desk.revokeEverything()).toBeNull();
    expect(acts).toEqual([
      ...['questions settled', 'grants of chats gone', 'cover gone', 'looking over', 'seal off', 'intent off'],
      ...['seal off', 'no folder trusted', 'all grants gone', 'all trust gone'],
    ]);
  });

  test('T4, W5: what cannot be written is told, and everything is stopped all the same', () => {
    const { desk, acts, halted } = setUp('The file cannot be written.');
    expect(desk.revokeEverything()).toBe('The file cannot be written.');
    expect([[...halted], acts.slice(-2)]).toEqual([[notes], ['all grants gone', 'all trust gone']]);
  });

  test('S11: a removed server leaves nothing', () => {
    const { desk, acts } = setUp();
    desk.forget(notes);
    expect(acts).toEqual(expect.arrayContaining(['grants gone', 'seal off', 'trust gone', 'tools gone', 'instructions gone']));
  });
});
