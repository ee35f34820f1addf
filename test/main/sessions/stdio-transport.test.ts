import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { TooLargeError } from '../../../src-main/sessions/bounded-stream';
import { StdioError } from '../../../src-main/sessions/stdio-transport';
import { eventually, isRunning } from '../../support/processes';
import { stdioPeer } from '../../support/stdio-peer';
import { tempFolder } from '../../support/temp-folder';

const hostile = (name: string) => join(import.meta.dirname, '../../fixtures/hostile', `${name}.mjs`);

function script(source: string): string {
  const file = join(tempFolder(), 'server.mjs');
  writeFileSync(file, source);
  return file;
}
const answering = (reply: string) => `
  process.stdin.setEncoding('utf8').on('data', (text) => {
    for (const line of text.split('\\n').filter(Boolean)) { const m = JSON.parse(line); ${reply} }
  }).on('end', () => process.exit(0));
`;

describe('framing', () => {
  test('B01: log lines and other JSON on stdout are counted, logged and dropped, and every answer arrives', async () => {
    const { transport, log, ask, received, events } = stdioPeer(hostile('B01'));
    await transport.start();
    expect((await ask('initialize'))?.result).toMatchObject({ serverInfo: { name: 'fixture' } });
    expect((await ask('tools/list'))?.result).toMatchObject({ tools: [{ name: 'echo' }] });
    await eventually(() => log.noiseCount === 12);
    const noise = log.lines().map(({ from, text }) => `${from}: ${text}`);
    expect(noise).toContain('stdout-noise: {"level":"info","msg":"a JSON log line that is not JSON-RPC"}');
    expect(noise).toContain('stdout-noise: null');
    expect([received.length, events]).toEqual([2, []]);
  });

  test('B02: CRLF, blank lines and a byte order mark are no noise', async () => {
    const { transport, log, ask, callText } = stdioPeer(hostile('B02'));
    await transport.start();
    expect((await ask('initialize'))?.result).toBeDefined();
    expect(await callText()).toBe('{}');
    expect(log.lines()).toEqual([]);
  });

  test('B04: characters cut in two and messages joined in one write arrive whole and in order', async () => {
    const { transport, received, callText, ask } = stdioPeer(hostile('B04'));
    await transport.start();
    expect(await callText()).toBe('日本語🙂ж');
    await ask('tools/list');
    expect(received.slice(-2).map((message) => ('method' in message ? message.method : 'answer'))).toEqual([
      'notifications/message',
      'answer',
    ]);
  });

  test('B09: arguments reach the program unchanged', async () => {
    const args = ['a b', 'C:\\Program Files\\x', 'q"u', '%PATH%', '', "it's", '$HOME', 'ünï'];
    const { transport, callText } = stdioPeer(hostile('B09'), { args });
    await transport.start();
    expect(JSON.parse((await callText()) ?? '')).toEqual(args);
  });

  const noMessages: [because: string, line: string][] = [
    ['a result for nobody', '{"jsonrpc":"2.0","result":null}'],
    ['a result for null', '{"jsonrpc":"2.0","id":null,"result":{}}'],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"result":{}}'],
    ['another protocol version', '{"jsonrpc":"1.0","id":1,"result":{}}'],
    ['neither method nor result', '{"jsonrpc":"2.0","id":1}'],
    ['a method that is no text', '{"jsonrpc":"2.0","method":5}'],
    ['a request for null', '{"jsonrpc":"2.0","id":null,"method":"ping"}'],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"result":{}}]'],
    ['half a message', '{"jsonrpc":"2.0","id":1,'],
  ];
  test.each(noMessages)('W5: %s is noise', async (_because, line) => {
    const { transport, log, received, ask } = stdioPeer(
      script(
        answering(
          `process.stdout.write(${JSON.stringify(`${line}\n`)} + JSON.stringify({ jsonrpc: '2.0', id: m.id, result: {} }) + '\\n');`,
        ),
      ),
    );
    await transport.start();
    expect((await ask('ping'))?.result).toEqual({});
    expect([received.length, log.noiseCount, log.lines()[0]?.text]).toEqual([1, 1, line]);
  });

  test('a handler that throws costs that message only', async () => {
    const peer = stdioPeer(hostile('B09'));
    await peer.transport.start();
    const deliver = peer.transport.onmessage;
    peer.transport.onmessage = () => {
      throw new Error('handler');
    };
    void peer.ask('ping');
    await eventually(() => peer.errors.length === 1);
    if (deliver) peer.transport.onmessage = deliver;
    expect((await peer.ask('ping'))?.result).toEqual({});
  });
});

describe('bounds', () => {
  test('B13: 8 MiB on one line arrive whole under a raised cap', async () => {
    const { transport, callText } = stdioPeer(hostile('B13'), { maxReplyBytes: 16 * 1024 * 1024 });
    await transport.start();
    const startedAt = performance.now();
    expect((await callText())?.length).toBe(8 * 1024 * 1024);
    expect(performance.now() - startedAt).toBeLessThan(2_000);
  });

  test('W2: a line over the cap ends the program at once, and the error names server and cap', async () => {
    const { transport, log, callText, errors, events } = stdioPeer(hostile('B13'), { env: { SIZE: String(64 * 1024 * 1024) } });
    await transport.start();
    const pid = transport.programPid ?? 0;
    const before = process.memoryUsage.rss();
    const startedAt = performance.now();
    expect(await callText()).toBeNull();
    await transport.close();
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(process.memoryUsage.rss() - before).toBeLessThan(2 * 1024 * 1024 + 16 * 1024 * 1024);
    expect(isRunning(pid)).toBe(false);
    expect(events).toEqual(['error', 'close']);
    expect(errors[0]?.message).toBe('Notes sent a line larger than its limit of 2 MiB, so it was stopped.');
    expect(errors[0]?.cause).toBeInstanceOf(TooLargeError);
    expect(transport.failure?.code).toBe('REPLY_TOO_LARGE');
    expect(log.lines().at(-1)).toMatchObject({ from: 'app', text: errors[0]?.message });
  });

  test('W2: a flood that is deaf to the end of its input is ended without waiting', async () => {
    const { transport, events } = stdioPeer(script(`const more = () => process.stdout.write('x'.repeat(65536), more); more();`));
    await transport.start();
    const pid = transport.programPid ?? 0;
    await eventually(() => events.includes('close'));
    expect(await eventually(() => !isRunning(pid))).toBeLessThan(1_000);
    await transport.close();
  });

  test('stderr is drained without end', async () => {
    const { transport, log, ask } = stdioPeer(
      script(
        answering(
          `process.stderr.write('x'.repeat(999) + '\\n'.repeat(1)); process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: m.id, result: {} }) + '\\n');`,
        ),
      ),
    );
    await transport.start();
    for (let turn = 0; turn < 300; turn += 1) await ask('ping');
    expect(log.lines().length).toBeLessThanOrEqual(200);
  });
});

describe('ending', () => {
  test('B05: a server that dies in a call is told with exit code and last words, and the half line is dropped', async () => {
    const { transport, callText, errors, events, received } = stdioPeer(hostile('B05'));
    await transport.start();
    const startedAt = performance.now();
    expect(await callText()).toBeNull();
    expect(performance.now() - startedAt).toBeLessThan(1_500);
    expect(errors[0]).toBeInstanceOf(StdioError);
    expect(errors[0]?.message).toBe('Notes exited with code 3 before it answered. It wrote: fatal: simulated crash');
    expect(transport.failure).toMatchObject({ exit: { code: 3, signal: null }, lines: ['fatal: simulated crash'] });
    expect([events, received]).toEqual([['error', 'close'], []]);
    await expect(transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toThrow('exited with code 3');
  });

  test('B05: a whole last line without its end is taken', async () => {
    const { transport, callText } = stdioPeer(hostile('B05'), { env: { MODE: 'whole' } });
    await transport.start();
    expect(await callText()).toBe('never finished');
  });

  const early: [because: string, source: string, says: string][] = [
    [
      'code 0 with words on stderr',
      `process.stderr.write('need a token\\n')`,
      'Notes exited with code 0 before it answered. It wrote: need a token',
    ],
    ['code 0 in silence', ``, 'Notes exited with code 0 before it answered. It wrote nothing that says why.'],
    [
      'words on stdout',
      `console.log('no config'); process.exitCode = 1`,
      'Notes exited with code 1 before it answered. It wrote: no config',
    ],
    [
      'words in a request',
      `console.log('{"jsonrpc":"2.0","method":"log","id":"a","params":"no key"}'); process.exitCode = 1`,
      'Notes exited with code 1 before it answered. It wrote: {"jsonrpc":"2.0","method":"log","id":"a","params":"no key"}',
    ],
    [
      'a signal',
      `process.kill(process.pid, 'SIGKILL')`,
      'Notes was ended by SIGKILL before it answered. It wrote nothing that says why.',
    ],
  ];
  test.each(early)('W6: an exit before the first answer is told: %s', async (_because, source, says) => {
    const { transport, errors, events } = stdioPeer(script(source));
    await transport.start();
    await eventually(() => events.includes('close'));
    expect([errors[0]?.message, events]).toEqual([says, ['error', 'close']]);
  });

  test('B11: a server that never answers is ended by closing, and its words stand', async () => {
    const { transport, log, ask, events } = stdioPeer(hostile('B11'));
    await transport.start();
    const pid = transport.programPid ?? 0;
    const answer = ask('initialize');
    await eventually(() => log.lines().length === 1);
    expect(transport.lastWords()).toEqual(['Error: cannot open database C:/nonexistent/db.sqlite, waiting...']);
    await transport.close();
    expect([await answer, isRunning(pid), events]).toEqual([null, false, ['close']]);
    expect(transport.failure).toBeNull();
  });

  test('W5: closing settles waiting calls at once, resolves when the group is gone, and is harmless twice', async () => {
    const { transport, ask, events, log } = stdioPeer(hostile('B06'));
    await transport.start();
    await eventually(() => log.lines().some((line) => line.text.startsWith('pids')));
    const pids = log.lines().flatMap((line) => [...line.text.matchAll(/\d+/g)].map(([pid]) => Number(pid)));
    const closing = transport.close();
    expect(transport.close()).toBe(closing);
    expect(events).toEqual(['close']);
    await expect(ask('ping')).rejects.toThrow('Notes is not running.');
    await closing;
    expect([pids.length, pids.some(isRunning), events]).toEqual([2, false, ['close']]);
  }, 15_000);

  test('a program that cannot start is told as the server it stands for', async () => {
    const { transport, errors, log } = stdioPeer('', {
      launch: { realPath: '/does/not/exist', args: [], cwd: '/', env: {} },
    });
    await expect(transport.start()).rejects.toThrow('Notes was not started. /does/not/exist does not exist');
    expect([errors.length, log.lines().length]).toEqual([1, 1]);
    await transport.close();
  });

  test('a transport closed before its start leaves no program', async () => {
    const { transport } = stdioPeer(hostile('B09'));
    const starting = transport.start();
    await transport.close();
    await expect(starting).rejects.toThrow('stopped while it was starting');
    expect(transport.programPid).toBeNull();
    await expect(transport.start()).rejects.toThrow('already started');
  });
});

describe('sending', () => {
  test('A5: what beforeSend throws keeps the message from the program', async () => {
    const { transport, ask } = stdioPeer(hostile('B09'), {
      beforeSend: (message) => {
        if ('method' in message && message.method === 'tools/call') throw new Error('not as approved');
      },
    });
    await transport.start();
    const before = transport.bytesOut;
    await expect(ask('tools/call')).rejects.toThrow('not as approved');
    expect(transport.bytesOut).toBe(before);
    expect((await ask('ping'))?.result).toEqual({});
  });

  test('bytes are counted both ways, for the stream and for each exchange', async () => {
    const { transport, ask } = stdioPeer(hostile('B09'));
    await transport.start();
    const told: unknown[] = [];
    const request = { jsonrpc: '2.0', id: 'ж', method: 'ping' } as const;
    const reply = '{"jsonrpc":"2.0","id":"ж","result":{}}\n';
    await transport.send(request, { onTraffic: (traffic) => told.push(traffic) });
    await ask('ping');
    expect(told).toEqual([
      { bytesOut: Buffer.byteLength(JSON.stringify(request)) + 1, bytesIn: Buffer.byteLength(reply), address: null },
    ]);
    expect(transport.bytesIn).toBe(Buffer.byteLength(reply) + '{"jsonrpc":"2.0","id":1,"result":{}}\n'.length);
  });

  test('an exchange that is cancelled or cut off is told once, with nothing received', async () => {
    const { transport } = stdioPeer(hostile('B11'));
    await transport.start();
    const told: string[] = [];
    const abort = new AbortController();
    await transport.send(
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { signal: abort.signal, onTraffic: (traffic) => told.push(`cancelled ${traffic.bytesIn}`) },
    );
    await transport.send(
      { jsonrpc: '2.0', id: 2, method: 'ping' },
      { onTraffic: (traffic) => told.push(`cut off ${traffic.bytesIn}`) },
    );
    abort.abort();
    await transport.close();
    expect(told).toEqual(['cancelled 0', 'cut off 0']);
  });

  test('W3: a server that does not read holds a send only until its deadline', async () => {
    const { transport } = stdioPeer(join(import.meta.dirname, '../../fixtures/programs/never-reads.mjs'), {
      writeTimeoutMs: 100,
    });
    await transport.start();
    await expect(transport.send({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(4_000_000) })).rejects.toThrow(
      'does not read its input',
    );
  });
});
