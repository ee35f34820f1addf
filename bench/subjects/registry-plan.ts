// Plans 100 servers with 100 tools each: the first time in this process, and once warm.
import type { Digest } from '../../src-shared/base/digest.schema';
import type { ServerId } from '../../src-shared/servers/server.schema';
import { definitionDigest } from '../../src-shared/tools/definition-digest';
import { planRegistry, type CatalogOfServer, type PlannedServer, type ToolChoice } from '../../src-shared/tools/registry-plan';
import { readToolList } from '../../src-shared/tools/tool-list-rule';

const SERVERS = 100;
const TOOLS = 100;
const WARM_RUNS = 30;

const properties = Object.fromEntries(
  ['path', 'query', 'limit', 'sort', 'filter', 'format'].map((name) => [
    name,
    { type: 'string', description: `The ${name} to use.` },
  ]),
);
const listed = Array.from({ length: TOOLS }, (_, index) => ({
  name: `search_items_${index}`,
  description: `Finds items of kind ${index} and gives them in order.`,
  inputSchema: { type: 'object', properties, required: ['path'] },
}));

const servers: PlannedServer[] = [];
const catalog = new Map<ServerId, CatalogOfServer>();
const choices = new Map<ServerId, ReadonlyMap<string, ToolChoice>>();
for (let index = 0; index < SERVERS; index += 1) {
  const id = `server-${index}` as ServerId;
  const { tools, skipped } = readToolList(listed, TOOLS);
  const entries = tools.map((definition) => ({ definition, digest: definitionDigest(definition) }));
  servers.push({ id, name: `Server ${index}`, namespace: `server-${index}`, on: true, down: false });
  catalog.set(id, { tools: entries, skipped });
  choices.set(id, new Map(entries.map(({ definition, digest }) => [definition.rawName, choiceOf(digest)])));
}

const first = time();
const warm = Array.from({ length: WARM_RUNS }, time);
console.log(JSON.stringify({ first: first.ms, warm: warm.map(({ ms }) => ms), offered: first.offered }));

function time(): { ms: number; offered: number } {
  const startedAt = performance.now();
  const { offered } = planRegistry({ servers, catalog, choices });
  return { ms: performance.now() - startedAt, offered: offered.length };
}

function choiceOf(digest: Digest): ToolChoice {
  return { digest, offered: true };
}
