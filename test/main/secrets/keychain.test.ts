import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { KEYCHAIN_IDLE_MS, KEYCHAIN_TIMEOUT_MS, openKeychain, type KeychainChannel } from '../../../src-main/secrets/keychain';
import type { KeychainAnswer, KeychainQuestion } from '../../../src-main/secrets/keychain-messages';
import { FakeClock } from '../../support/fake-clock';

/** A keychain process that answers, crashes or hangs as told. */
class ScriptedProcess implements KeychainChannel {
  #tell: (message: unknown) => void = () => undefined;
  #tellEnd: () => void = () => undefined;
  ended = false;

  constructor(readonly behave: (question: KeychainQuestion, process: ScriptedProcess) => void) {}

  post(message: KeychainQuestion): void {
    this.behave(message, this);
  }
  onMessage(listener: (message: unknown) => void): void {
    this.#tell = listener;
  }
  onEnd(listener: () => void): void {
    this.#tellEnd = listener;
  }
  end(): void {
    this.ended = true;
  }
  say(message: KeychainAnswer | object): void {
    this.#tell(message);
  }
  crash(): void {
    this.ended = true;
    this.#tellEnd();
  }
}

function setUp(...behaviours: ScriptedProcess['behave'][]) {
  const clock = new FakeClock();
  const started: ScriptedProcess[] = [];
  const start = () => {
    const behave = behaviours[started.length] ?? behaviours.at(-1);
    if (!behave) throw new Error('no program');
    const process = new ScriptedProcess(behave);
    started.push(process);
    return process;
  };
  return { clock, started, keychain: openKeychain({ start, clock }) };
}

const answering: ScriptedProcess['behave'] = ({ id, kind, account }, process) =>
  process.say(kind === 'read' ? { kind: 'read', id, value: `value of ${account}` } : { kind: 'written', id });
const silent: ScriptedProcess['behave'] = () => undefined;
const crashing: ScriptedProcess['behave'] = (_question, process) => process.crash();

test('S5: starts no process before the first question', () => {
  expect(setUp(answering).started).toHaveLength(0);
});

test('S5: reads and writes through one process', async () => {
  const { keychain, started } = setUp(answering);
  await expect(keychain.read('a')).resolves.toEqual({ ok: true, value: 'value of a' });
  await expect(keychain.write('a', 'b')).resolves.toEqual({ ok: true, value: undefined });
  expect(started).toHaveLength(1);
});

test('S5: ends the process 2 s after its last answer, and starts another when asked again', async () => {
  const { keychain, clock, started } = setUp(answering);
  await keychain.read('a');
  clock.advance(KEYCHAIN_IDLE_MS - 1);
  await keychain.read('b');
  clock.advance(KEYCHAIN_IDLE_MS - 1);
  expect(started[0]?.ended).toBe(false);
  clock.advance(1);
  expect(started[0]?.ended).toBe(true);
  await expect(keychain.read('c')).resolves.toMatchObject({ ok: true });
  expect(started).toHaveLength(2);
});

test('S5: a crash is "unavailable", for every question that was open, and the next question starts anew', async () => {
  const { keychain, started } = setUp(silent, answering);
  const open = [keychain.read('a'), keychain.write('a', 'b')];
  started[0]?.crash();
  await expect(Promise.all(open)).resolves.toEqual([
    { ok: false, problem: 'unavailable' },
    { ok: false, problem: 'unavailable' },
  ]);
  await expect(keychain.read('a')).resolves.toMatchObject({ ok: true });
});

test('S5: a process that crashes at each question never throws here', async () => {
  const { keychain } = setUp(crashing);
  await expect(keychain.read('a')).resolves.toEqual({ ok: false, problem: 'unavailable' });
  await expect(keychain.write('a', 'b')).resolves.toEqual({ ok: false, problem: 'unavailable' });
});

test('S5: a process that cannot be started is "unavailable"', async () => {
  await expect(setUp().keychain.read('a')).resolves.toEqual({ ok: false, problem: 'unavailable' });
});

test('S5: no answer in 5 s is "unavailable", the process is ended, and its late answer counts for nothing', async () => {
  const { keychain, clock, started } = setUp(silent);
  const read = keychain.read('a');
  clock.advance(KEYCHAIN_TIMEOUT_MS - 1);
  expect(started[0]?.ended).toBe(false);
  clock.advance(1);
  await expect(read).resolves.toEqual({ ok: false, problem: 'unavailable' });
  expect(started[0]?.ended).toBe(true);
  const again = keychain.read('a');
  started[0]?.say({ kind: 'read', id: 2, value: 'late' });
  keychain.end();
  await expect(again).resolves.toEqual({ ok: false, problem: 'unavailable' });
});

const notAnswers: [because: string, message: object][] = [
  ['of another shape', { hello: 1 }],
  ['to a question nobody asked', { kind: 'read', id: 99, value: 'x' }],
  ['of the wrong kind', { kind: 'written', id: 1 }],
  ['that says so', { kind: 'unavailable', id: 1 }],
];
test.each(notAnswers)('S5: an answer %s gives no value', async (_because, message) => {
  const { keychain, clock } = setUp((_question, process) => process.say(message));
  const read = keychain.read('a');
  clock.advance(KEYCHAIN_TIMEOUT_MS);
  await expect(read).resolves.toEqual({ ok: false, problem: 'unavailable' });
});

test('leaves no timer behind once it has ended', async () => {
  const { keychain, clock } = setUp(answering);
  await keychain.read('a');
  keychain.end();
  expect(clock.waiting).toBe(0);
});

test('S5: nothing lists the items of a keychain, which crashes the process when it is locked', () => {
  const folder = join(import.meta.dirname, '../../../src-main/secrets');
  const sources = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(sources.some((source) => source.includes('keytar.getPassword'))).toBe(true);
  for (const source of sources) expect(source).not.toMatch(/findCredentials|findPassword/);
});
