import type { JsonObject } from '../../src-shared/tools/tool.schema';
import type { Host } from './host';

/** What the suite tells a client beside the address. */
export type Context = Record<string, unknown>;
type Scenario = (host: Host, context: Context) => Promise<void>;

const listOnly: Scenario = async (host) => {
  await host.tools(await host.open());
};

const callOne =
  (name: string, given: object = {}): Scenario =>
  async (host) => {
    const session = await host.open();
    await host.call(session, (await host.tools(session)).get(name), given);
  };

/** What a person would do in the app for each scenario of the suite. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  initialize: listOnly,
  tools_call: callOne('add_numbers', { a: 5, b: 3 }),
  'request-metadata': listOnly,
  'sse-retry': callOne('test_reconnection'),
  'json-schema-ref-no-deref': listOnly,

  'http-standard-headers': async (host) => {
    const session = await host.open();
    for (const tool of (await host.tools(session)).values()) await host.call(session, tool, {});
  },

  'http-custom-headers': async (host, context) => {
    const session = await host.open();
    const tools = await host.tools(session);
    for (const { name, arguments: given } of context['toolCalls'] as { name: string; arguments: object }[]) {
      await host.call(session, tools.get(name), given);
    }
  },

  'http-invalid-tool-headers': async (host) => {
    const session = await host.open();
    for (const tool of (await host.tools(session)).values()) await host.call(session, tool, sampleOf(tool.inputSchema));
  },

  'json-schema-2020-12-preservation': async (host) => {
    const session = await host.open();
    const tools = await host.tools(session);
    const schema = tools.get('json_schema_2020_12_tool')?.inputSchema;
    await host.call(session, tools.get('json_schema_echo'), { schema });
  },
};

/** Some value for each named property. */
function sampleOf(schema: JsonObject): JsonObject {
  const properties = (schema['properties'] ?? {}) as Record<string, JsonObject>;
  return Object.fromEntries(
    Object.entries(properties).map(([name, { type }]) => [
      name,
      type === 'integer' || type === 'number' ? 7 : type === 'boolean' ? true : 'seven',
    ]),
  );
}
