import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';
import { describe, expect, test } from 'vitest';
import { digestIfWritable } from '../../src-main/processes/file-digest';
import { findProgram } from '../../src-main/processes/find-program';
import { carriersOf, RUN_MARKER } from '../../src-main/processes/process-group';
import { planLaunch } from '../../src-main/sessions/launch-plan';
import { ServerLog } from '../../src-main/sessions/server-log';
import { StdioTransport } from '../../src-main/sessions/stdio-transport';
import { ok } from '../../src-shared/base/result';
import { ServerConfigSchema } from '../../src-shared/servers/server.schema';
import { isRunning } from '../support/processes';
import { tempFolder } from '../support/temp-folder';

const modules = join(import.meta.dirname, '../../node_modules');
const literal = (value: string) => ({ kind: 'literal' as const, value });

/** A server as it is stored, planned and started by the same functions as in the app. */
async function connect(script: string, args: string[], env: Record<string, string> = {}, looksLike: object = {}) {
  const home = tempFolder();
  const config = ServerConfigSchema.parse({
    id: 'one',
    name: 'Peer',
    connection: {
      kind: 'stdio',
      command: 'node',
      args: [script, ...args].map(literal),
      env: Object.entries(env).map(([name, value]) => ({ name, value: literal(value) })),
    },
  });
  const planned = await planLaunch(config, {
    findProgram,
    digestIfWritable,
    readSecret: () => ok(''),
    hostEnv: process.env,
    home,
    key: Buffer.alloc(32),
  });
  if (!planned.ok || planned.value.start.kind !== 'stdio') throw new Error(planned.ok ? 'not a program' : planned.problem);
  const log = new ServerLog({ now: () => Date.now(), mask: (text) => text });
  const transport = new StdioTransport({
    serverName: 'Peer',
    launch: planned.value.start.program,
    maxReplyBytes: 2 * 1024 * 1024,
    log,
  });
  const client = new Client(
    { name: 'portcullis-test', version: '1.0.0' },
    {
      capabilities: {},
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: 10_000 } },
      jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
    },
  );
  await client.connect(Object.assign(transport, looksLike));
  return { client, transport, log, home };
}

async function leavesNothing({ client, transport }: { client: Client; transport: StdioTransport }) {
  const pid = transport.programPid ?? 0;
  const marker = new RegExp(`${RUN_MARKER}=([0-9a-f]{32})`).exec(readFileSync(`/proc/${pid}/environ`, 'latin1'))?.[1] ?? '';
  expect(await carriersOf(marker)).toContain(pid);
  const startedAt = performance.now();
  await client.close();
  await transport.close();
  expect(performance.now() - startedAt).toBeLessThan(5_000);
  expect([isRunning(pid), await carriersOf(marker)]).toEqual([false, []]);
}

const textOf = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

describe('official servers', () => {
  test('W1: server-everything lists, calls and ends', async () => {
    const peer = await connect(join(modules, '@modelcontextprotocol/server-everything/dist/index.js'), ['stdio']);
    const { tools } = await peer.client.listTools();
    expect(tools.map(({ name }) => name)).toContain('echo');
    expect(textOf(await peer.client.callTool({ name: 'echo', arguments: { message: 'hello' } }))).toBe('Echo: hello');
    const shown = JSON.parse(textOf(await peer.client.callTool({ name: 'get-env', arguments: {} }))) as Record<string, string>;
    expect(Object.keys(shown).filter((name) => /KEY|TOKEN|SECRET/.test(name))).toEqual([]);
    await leavesNothing(peer);
  });

  test('W1: server-filesystem lists, calls and ends', async () => {
    const folder = tempFolder();
    writeFileSync(join(folder, 'note.txt'), 'a note');
    const peer = await connect(join(modules, '@modelcontextprotocol/server-filesystem/dist/index.js'), [folder]);
    expect((await peer.client.listTools()).tools).toHaveLength(14);
    expect(textOf(await peer.client.callTool({ name: 'read_text_file', arguments: { path: join(folder, 'note.txt') } }))).toBe(
      'a note',
    );
    await leavesNothing(peer);
  });

  test('W1: server-memory lists, calls and ends', async () => {
    const file = join(tempFolder(), 'memory.jsonl');
    const peer = await connect(join(modules, '@modelcontextprotocol/server-memory/dist/index.js'), [], {
      MEMORY_FILE_PATH: file,
    });
    expect((await peer.client.listTools()).tools).toHaveLength(9);
    await peer.client.callTool({
      name: 'create_entities',
      arguments: { entities: [{ name: 'gate', entityType: 'thing', observations: ['shut'] }] },
    });
    expect(readFileSync(file, 'utf8')).toContain('gate');
    await leavesNothing(peer);
  });

  test('W1: server-sequential-thinking lists, calls and ends', async () => {
    const peer = await connect(join(modules, '@modelcontextprotocol/server-sequential-thinking/dist/index.js'), []);
    expect((await peer.client.listTools()).tools).toHaveLength(1);
    const thought = { thought: 'one', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };
    expect(textOf(await peer.client.callTool({ name: 'sequentialthinking', arguments: thought }))).toContain(
      '"thoughtNumber": 1',
    );
    await leavesNothing(peer);
  });
});

describe('negotiation', () => {
  const counting = `
    import { appendFileSync } from 'node:fs';
    appendFileSync(process.env.STARTS, 'start\\n');
    process.stdin.setEncoding('utf8').on('data', (text) => {
      for (const line of text.split('\\n').filter(Boolean)) {
        const m = JSON.parse(line);
        if (m.method === 'initialize') console.log(JSON.stringify({ jsonrpc: '2.0', id: m.id, result: { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } } }));
        else if (m.id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id: m.id, error: { code: -32601, message: 'no' } }));
      }
    }).on('end', () => process.exit(0));
  `;

  const shapes: [shape: string, looksLike: object][] = [
    ['any transport', {}],
    ['a program, by the two properties the client looks for', { stderr: null, pid: null }],
  ];
  test.each(shapes)(
    'T2: asking for the protocol version starts the program once, not twice, when it looks like %s',
    async (_shape, looksLike) => {
      const folder = tempFolder();
      writeFileSync(join(folder, 'server.mjs'), counting);
      const peer = await connect(join(folder, 'server.mjs'), [], { STARTS: join(folder, 'starts') }, looksLike);
      expect(peer.client.getProtocolEra()).toBe('legacy');
      expect(readFileSync(join(folder, 'starts'), 'utf8')).toBe('start\n');
      await leavesNothing(peer);
    },
  );

  test('B08: a server that needs PATH, HOME and its own variable has them, and no key of this computer', async () => {
    process.env.SOME_TOKEN = 'leaked';
    const peer = await connect(join(import.meta.dirname, '../fixtures/hostile/B08.mjs'), [], { EXTRA_KEY: 'k' });
    delete process.env.SOME_TOKEN;
    const told = JSON.parse(textOf(await peer.client.callTool({ name: 'echo', arguments: {} }))) as unknown;
    expect(told).toEqual({ extra: 'k', leaked: [] });
    await leavesNothing(peer);
  });
});
