import { describe, expect, test } from 'vitest';
import type { Digest } from '../../../src-shared/base/digest.schema';
import type { ServerId } from '../../../src-shared/servers/server.schema';
import { definitionDigest } from '../../../src-shared/tools/definition-digest';
import { BUILT_IN_NAMES, isBuiltInName, publishedName } from '../../../src-shared/tools/publish-name-rule';
import {
  type CatalogOfServer,
  fitProviderLimit,
  planRegistry,
  type PlannedServer,
  type RegistryInput,
  type ToolChoice,
} from '../../../src-shared/tools/registry-plan';
import { readToolList } from '../../../src-shared/tools/tool-list-rule';
import type { ToolState } from '../../../src-shared/tools/tool.schema';

interface ServerSetUp {
  namespace: string | null;
  name?: string;
  on?: boolean;
  down?: boolean;
  tools: string[];
  /** By raw name; a tool without an entry is reviewed and switched on. */
  choices?: { [rawName: string]: Partial<ToolChoice> | 'none' };
  maxTools?: number;
}

const OTHER_DIGEST = 'f'.repeat(64) as Digest;

/** The real road from what a server lists to what is offered: list rule, digest, plan. */
function setUp(servers: ServerSetUp[]): RegistryInput {
  const catalog = new Map<ServerId, CatalogOfServer>();
  const choices = new Map<ServerId, ReadonlyMap<string, ToolChoice>>();
  const planned: PlannedServer[] = servers.map((server, index) => {
    const id = `server-${index}` as ServerId;
    const read = readToolList(
      server.tools.map((name) => ({ name, inputSchema: {} })),
      server.maxTools ?? 5000,
    );
    const tools = read.tools.map((definition) => ({ definition, digest: definitionDigest(definition) }));
    catalog.set(id, { tools, skipped: read.skipped });
    const made = new Map<string, ToolChoice>();
    for (const { definition, digest } of tools) {
      const choice = Object.hasOwn(server.choices ?? {}, definition.rawName) ? server.choices?.[definition.rawName] : {};
      if (choice !== 'none') made.set(definition.rawName, { digest, offered: true, ...choice });
    }
    choices.set(id, made);
    return {
      id,
      name: server.name ?? `Server ${index}`,
      namespace: server.namespace,
      on: server.on ?? true,
      down: server.down ?? false,
    };
  });
  return { servers: planned, catalog, choices };
}

const names = (input: RegistryInput) => planRegistry(input).offered.map((tool) => tool.published);

describe('planRegistry', () => {
  test('R1: offers reviewed tools of servers that are on, in the order of servers and lists', () => {
    const input = setUp([
      { namespace: 'b', tools: ['z', 'a'] },
      { namespace: 'a', tools: ['m'] },
    ]);
    expect(names(input)).toEqual(['b__z', 'b__a', 'a__m']);
    expect(planRegistry(input).tools.every((tool) => tool.state === 'on' && tool.why === '')).toBe(true);
  });

  const gates: [because: string, server: ServerSetUp, state: ToolState, why: string][] = [
    ['server off', { namespace: 'a', on: false, tools: ['t'] }, 'off', 'Server 0 is off.'],
    ['server down', { namespace: 'a', down: true, tools: ['t'] }, 'off', 'Server 0 is not answering.'],
    ['off comes before down', { namespace: 'a', on: false, down: true, tools: ['t'] }, 'off', 'Server 0 is off.'],
    ['not reviewed', { namespace: 'a', tools: ['t'], choices: { t: 'none' } }, 'new', 'You have not reviewed this tool yet.'],
    [
      'changed',
      { namespace: 'a', tools: ['t'], choices: { t: { digest: OTHER_DIGEST } } },
      'changed',
      'The server changed this tool since you reviewed it.',
    ],
    [
      'changed comes before switched off',
      { namespace: 'a', tools: ['t'], choices: { t: { digest: OTHER_DIGEST, offered: false } } },
      'changed',
      'The server changed this tool since you reviewed it.',
    ],
    ['switched off', { namespace: 'a', tools: ['t'], choices: { t: { offered: false } } }, 'off', 'You switched this tool off.'],
    [
      'server off and tool new: the review still shows',
      { namespace: 'a', on: false, tools: ['t'], choices: { t: 'none' } },
      'new',
      'Server 0 is off.',
    ],
    [
      'server down and tool changed',
      { namespace: 'a', down: true, tools: ['t'], choices: { t: { digest: OTHER_DIGEST } } },
      'changed',
      'Server 0 is not answering.',
    ],
    [
      'no short name',
      { namespace: null, tools: ['t'] },
      'refused',
      'Server 0 needs a short name before its tools can be offered.',
    ],
    [
      'an illegal short name',
      { namespace: 'A_', tools: ['t'] },
      'refused',
      'Server 0 needs another short name: "A_" is not a legal one.',
    ],
    [
      'over the limit',
      { namespace: 'a', tools: ['t'], maxTools: 0 },
      'skipped',
      'The server lists more than 0 tools; raise its limit to see this one.',
    ],
  ];
  test.each(gates)('R1: %s keeps the tool back and says why', (_because, server, state, why) => {
    const plan = planRegistry(setUp([server, { namespace: 'other', tools: ['t'] }]));
    expect(plan.tools[0]).toMatchObject({ state, why });
    expect(plan.offered.map((tool) => tool.published)).toEqual(['other__t']);
  });

  test('R1: no later gate re-opens an earlier one, in any combination', () => {
    for (let bits = 0; bits < 32; bits += 1) {
      const [on, up, reviewed, offered, alone] = [1, 2, 4, 8, 16].map((bit) => (bits & bit) !== 0) as [
        boolean,
        boolean,
        boolean,
        boolean,
        boolean,
      ];
      const rival = `x_y_${publishedName('a', 'x.y').slice(-8)}`;
      const choice = reviewed ? { offered } : ('none' as const);
      const input = setUp([
        { namespace: 'a', on, down: !up, tools: alone ? ['x.y'] : ['x.y', rival], choices: { 'x.y': choice } },
      ]);
      const expected = on && up && reviewed && offered && alone;
      expect(planRegistry(input).offered.some((tool) => tool.rawName === 'x.y')).toBe(expected);
    }
  });

  test('S1: only a server whose switch is exactly on offers anything', () => {
    expect(names(setUp([{ namespace: 'a', on: false, tools: ['t'] }]))).toEqual([]);
  });

  test('N3: two raw names that really meet in one published name are both refused, told with both names, in either order', () => {
    const impostor = `get_item_${publishedName('a', 'get.item').slice(-8)}`;
    expect(publishedName('a', impostor)).toBe(publishedName('a', 'get.item'));
    for (const tools of [
      ['get.item', impostor, 'fine'],
      [impostor, 'get.item', 'fine'],
    ]) {
      const plan = planRegistry(setUp([{ namespace: 'a', tools }]));
      expect(plan.offered.map((tool) => tool.rawName)).toEqual(['fine']);
      for (const tool of plan.tools.slice(0, 2)) {
        expect(tool.state).toBe('refused');
        expect(tool.why).toContain('"get.item"');
        expect(tool.why).toContain(`"${impostor}"`);
      }
    }
  });

  test('N3: the rival need not be reviewed to be in the way: nobody slips into a name by being switched off first', () => {
    const impostor = `get_item_${publishedName('a', 'get.item').slice(-8)}`;
    const plan = planRegistry(setUp([{ namespace: 'a', tools: ['get.item', impostor], choices: { [impostor]: 'none' } }]));
    expect(plan.offered).toEqual([]);
  });

  test('N3: hidden characters of a colliding name are spelled out in the reason', () => {
    const impostor = `get_item_${publishedName('a', 'get\u202eitem').slice(-8)}`;
    expect(publishedName('a', impostor)).toBe(publishedName('a', 'get\u202eitem'));
    const plan = planRegistry(setUp([{ namespace: 'a', tools: ['get\u202eitem', impostor] }]));
    expect(plan.tools[1]?.why).toContain('"get\\u202eitem"');
  });

  test('N3: two servers that carry one namespace refuse each other’s names', () => {
    const plan = planRegistry(
      setUp([
        { namespace: 'a', name: 'One', tools: ['t', 'mine'] },
        { namespace: 'a', name: 'Two', tools: ['t'] },
      ]),
    );
    expect(plan.offered.map((tool) => tool.published)).toEqual(['a__mine']);
    expect(plan.tools[0]?.why).toContain('of Two');
  });

  test('N3: the same raw name twice keeps the first', () => {
    const plan = planRegistry(setUp([{ namespace: 'a', tools: ['t', 't'] }]));
    expect(plan.tools.map((tool) => tool.state)).toEqual(['on', 'skipped']);
  });

  test('N6: what is offered carries the raw name and its server, and a renamed server keeps every choice', () => {
    const before = setUp([{ namespace: 'a', tools: ['find.all', 'off'], choices: { off: { offered: false } } }]);
    const after = { ...before, servers: before.servers.map((server) => ({ ...server, name: 'New', namespace: 'new' })) };
    expect(planRegistry(after).offered).toMatchObject([{ serverId: 'server-0', rawName: 'find.all', serverName: 'New' }]);
  });

  test('R2: a server nobody has contacted offers its remembered tools, one without a catalog offers none', () => {
    const input = setUp([{ namespace: 'a', tools: ['t'] }]);
    expect(names({ ...input, catalog: new Map() })).toEqual([]);
    expect(names({ ...input, choices: new Map() })).toEqual([]);
  });

  test('R1: 100 servers with 100 tools each are planned quickly, legal names or not', () => {
    for (const nameOf of [(index: number) => `tool_number_${index}`, (index: number) => `tool.number.${index}`]) {
      const input = setUp(
        Array.from({ length: 100 }, (_, server) => ({
          namespace: `server-${server}`,
          tools: Array.from({ length: 100 }, (_tool, index) => nameOf(index)),
        })),
      );
      planRegistry(input);
      const started = performance.now();
      const plan = planRegistry(input);
      expect(performance.now() - started).toBeLessThan(200);
      expect(plan.offered).toHaveLength(10_000);
    }
  });
});

describe('adversarial servers', () => {
  const namespaces = ['load', 'read-file', 'a', 'use_tool', 'z'.repeat(24)];
  const lookAlikes = (name: string) => [
    name,
    `_${name}`,
    `__${name}`,
    name.replace('_', '.'),
    name.replace('_', '/'),
    name.replace('_', '__'),
    name.replace('e', '\u0435'),
    `${name}\u200b`,
    `\u202e${name}`,
    name.toUpperCase(),
    ` ${name}`,
    `${name}\n`,
    `github__${name}`,
    `../${name}`,
    `${name}${'_'.repeat(64)}`,
  ];

  test.each(BUILT_IN_NAMES)('N4: no server shadows or captures %s, whatever it calls its tools and itself', (builtIn) => {
    const input = setUp(namespaces.map((namespace) => ({ namespace, name: builtIn, tools: lookAlikes(builtIn) })));
    const plan = planRegistry(input);
    expect(plan.tools.length).toBeGreaterThanOrEqual(namespaces.length * 14);
    expect(plan.offered.length).toBeGreaterThanOrEqual(namespaces.length * 14);
    for (const tool of plan.offered) {
      expect(isBuiltInName(tool.published)).toBe(false);
      expect(tool.published).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    }
    expect(new Set(plan.offered.map((tool) => tool.published)).size).toBe(plan.offered.length);
  });

  test('N4 (X2): a raw name of published shape stays behind its own server’s namespace', () => {
    const input = setUp([
      { namespace: 'github', on: false, tools: ['create_issue'] },
      { namespace: 'evil', tools: ['github__create_issue'] },
    ]);
    expect(names(input)).toEqual(['evil__github__create_issue']);
  });

  test('N2: what one server lists never changes what another offers', () => {
    const victim: ServerSetUp = { namespace: 'github', tools: ['create_issue', 'find.all'] };
    const alone = names(setUp([victim]));
    const crowded = names(
      setUp([victim, { namespace: 'git', tools: ['hub__create_issue', 'create_issue', 'github__create_issue', ...alone] }]),
    );
    expect(crowded.slice(0, 2)).toEqual(alone);
  });
});

describe('fitProviderLimit', () => {
  const offered = planRegistry(
    setUp([{ namespace: 'a', tools: Array.from({ length: 130 }, (_, index) => `t${index}`) }]),
  ).offered;

  test('R3: keeps the first 128 and names the rest', () => {
    const fit = fitProviderLimit(offered);
    expect(fit.kept).toHaveLength(128);
    expect(fit.leftOut).toEqual(['a__t128', 'a__t129']);
  });
  test.each([
    [130, 130, 0],
    [129, 129, 1],
    [0, 0, 130],
  ])('R3: a limit of %i keeps %i and leaves out %i', (limit, kept, leftOut) => {
    const fit = fitProviderLimit(offered, limit);
    expect([fit.kept.length, fit.leftOut.length]).toEqual([kept, leftOut]);
  });
});
