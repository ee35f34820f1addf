import { describe, expect, test } from 'vitest';
import { MAX_LOG_LENGTH, MAX_LOG_LINE, MAX_LOG_LINES, ServerLog } from '../../../src-main/sessions/server-log';

const SECRET = 'sk-canary-0123456789';

function setUp() {
  let time = 0;
  const log = new ServerLog({ now: () => (time += 1), mask: (text) => text.replaceAll(SECRET, '[secret]') });
  const say = (text: string) => log.stderr(Buffer.from(text));
  const texts = () => log.lines().map((line) => line.text);
  return { log, say, texts };
}

describe('stderr', () => {
  test('lines are kept in order, blank ones are not', () => {
    const { log, say } = setUp();
    say('one\n\ntw');
    say('o\r\n');
    expect(log.lines()).toEqual([
      { at: 1, from: 'stderr', text: 'one' },
      { at: 2, from: 'stderr', text: 'two' },
    ]);
  });

  test('a character cut between two pieces is whole', () => {
    const { log, texts } = setUp();
    const bytes = Buffer.from('日本🙂\n');
    for (const byte of bytes) log.stderr(Buffer.from([byte]));
    expect(texts()).toEqual(['日本🙂']);
  });

  test('a line without an end is told when somebody looks', () => {
    const { say, texts } = setUp();
    say('cannot open database');
    expect(texts()).toEqual(['cannot open database']);
  });

  test('O1: colours, control, bidi and zero-width characters are taken out', () => {
    const { say, texts } = setUp();
    say('\u001b[31mred\u001b[0m a\u0007b \u202Ec\u200Bd\te\n');
    expect(texts()).toEqual(['red ab cd\te']);
  });

  test('S5: secrets are masked, also when control characters stand between their letters', () => {
    const { say, texts } = setUp();
    say(`token ${SECRET}\n`);
    say(`token ${SECRET.slice(0, 5)}\u200B${SECRET.slice(5)}\n`);
    expect(texts()).toEqual(['token [secret]', 'token [secret]']);
  });

  test('S5: no part of a secret at the cut is shown', () => {
    const { say, texts } = setUp();
    for (const lead of [MAX_LOG_LINE - 5, MAX_LOG_LINE, MAX_LOG_LINE + 3 * 32_768 - 5])
      say(`${'x'.repeat(lead)}${SECRET}${'y'.repeat(200_000)}\n`);
    // Masking shortens: what lay at the very end of what is kept comes into view.
    for (let shift = 0; shift < SECRET.length; shift += 1) say(`${'x'.repeat(shift)}${SECRET.repeat(10_000)}\n`);
    expect(texts().length).toBeGreaterThan(SECRET.length);
    for (const text of texts()) expect(text).not.toContain('sk-');
  });
});

describe('bounds', () => {
  test('a line is cut visibly', () => {
    const { say, texts } = setUp();
    say(`${'x'.repeat(1_000_000)}\nnext\n`);
    expect(texts()).toEqual([`${'x'.repeat(MAX_LOG_LINE)} … (the line goes on)`, 'next']);
  });

  test('only the last lines are kept', () => {
    const { say, texts } = setUp();
    for (let turn = 1; turn <= 1000; turn += 1) say(`line ${turn}\n`);
    expect([texts().length, texts()[0], texts().at(-1)]).toEqual([MAX_LOG_LINES, 'line 801', 'line 1000']);
  });

  test('the whole log is bounded', () => {
    const { say, texts } = setUp();
    for (let turn = 0; turn < 100; turn += 1) say(`${turn} ${'x'.repeat(4000)}\n`);
    expect(texts().join('').length).toBeLessThanOrEqual(MAX_LOG_LENGTH);
    expect(texts().at(-1)).toMatch(/^99 /);
  });

  test('a flood without line ends costs one line', () => {
    const { log, texts } = setUp();
    const piece = Buffer.alloc(65_536, 'x');
    for (let turn = 0; turn < 1000; turn += 1) log.stderr(piece);
    expect(texts()).toHaveLength(1);
  });
});

describe('other lines', () => {
  test('B01: noise on stdout is counted and its control characters are spelled out', () => {
    const { log } = setUp();
    log.noise('hello\u001b[31m');
    log.noise('null');
    expect(log.lines().map(({ from, text }) => [from, text])).toEqual([
      ['stdout-noise', 'hello\\u001b[31m'],
      ['stdout-noise', 'null'],
    ]);
    expect(log.noiseCount).toBe(2);
  });

  test('W1: the same note again and again is kept once', () => {
    const { log } = setUp();
    for (const note of ['Dropped.', 'Dropped.', 'Redirected.', 'Redirected.']) log.note(note);
    expect(log.lines().map(({ text }) => text)).toEqual(['Dropped.', 'Redirected.']);
  });

  test('W6: last words are stderr, else noise, and never the notes of the app', () => {
    const { log, say } = setUp();
    log.note('Started.');
    log.noise('config missing');
    expect(log.lastWords(3)).toEqual(['config missing']);
    for (const word of ['a', 'b', 'c', 'd']) say(`${word}\n`);
    expect(log.lastWords(3)).toEqual(['b', 'c', 'd']);
  });

  test('W6: the stack below an error does not push its words away', () => {
    const { log, say } = setUp();
    say('Starting\n/srv/index.js:19\n        throw new Error();\n              ^\n\nError: TOKEN is required\n');
    for (let frame = 0; frame < 10; frame += 1) say(`    at async main (file:///srv/index.js:${frame}:15)\n`);
    say('  }\n}\n\nNode.js v20.20.2\n');
    expect(log.lastWords(2)).toEqual(['        throw new Error();', 'Error: TOKEN is required']);
    const only = setUp();
    only.say('    at main (file:///srv/index.js:1:1)\n');
    expect(only.log.lastWords(2)).toEqual(['    at main (file:///srv/index.js:1:1)']);
  });
});

describe('messages over the protocol', () => {
  test('W8: stand on one line with their level and their logger, under their own name', () => {
    const { log } = setUp();
    log.message({ level: 'error', logger: 'db', data: 'no\n  disk' });
    log.message({ level: 'info', data: { step: 1, of: [2] } });
    log.message({ level: 'info', data: undefined });
    expect(log.lines().map(({ from, text }) => [from, text])).toEqual([
      ['message', 'error, db: no disk'],
      ['message', 'info: {"step":1,"of":[2]}'],
      ['message', 'info:'],
    ]);
  });

  test('O1, S5: are stripped, masked and bounded like every word of a server', () => {
    const { log, texts } = setUp();
    log.message({ level: 'info', data: `\u001b[31m${SECRET.slice(0, 5)}\u200B${SECRET.slice(5)} ${'x'.repeat(1_000_000)}` });
    expect(texts()[0]).toMatch(/^info: \[secret\] x+ … \(the line goes on\)$/);
    expect(texts()[0]!.length).toBeLessThan(MAX_LOG_LINE + 30);
  });

  test('W8: do not pass for the last words of a program', () => {
    const { log, say } = setUp();
    say('fatal\n');
    log.message({ level: 'info', data: 'all is well' });
    expect(log.lastWords(3)).toEqual(['fatal']);
  });
});
