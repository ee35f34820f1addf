import type { Result } from '../../src-shared/base/result';
import type { SessionProblem } from '../../src-main/sessions/session-problem';
import type { SignInClientDraft } from '../../src-shared/oauth/sign-in.schema';
import type { JsonObject } from '../../src-shared/tools/tool.schema';
import type { Host } from './host';
import { sendAsShown } from './person';

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
const scenarios: Readonly<Record<string, Scenario>> = {
  initialize: listOnly,
  tools_call: callOne('add_numbers', { a: 5, b: 3 }),
  'request-metadata': listOnly,
  'sse-retry': callOne('test_reconnection'),
  'json-schema-ref-no-deref': listOnly,

  'elicitation-sep1034-client-defaults': async (host) => {
    const session = await host.open();
    const tools = await host.tools(session);
    await host.call(session, tools.get('test_client_elicitation_defaults'), {}, sendAsShown);
  },

  'sep-2322-client-request-state': async (host) => {
    const session = await host.open();
    const tools = await host.tools(session);
    // Another call while the question of the first one is still open must not carry anything of it.
    await host.call(session, tools.get('test_mrtr_echo_state'), {}, async (asked) => {
      await host.call(session, tools.get('test_mrtr_unrelated'), {});
      return sendAsShown(asked);
    });
    await host.call(session, tools.get('test_mrtr_no_state'), {}, sendAsShown);
    await host.call(session, tools.get('test_mrtr_no_result_type'), {}, sendAsShown);
  },

  'http-standard-headers': async (host) => {
    const session = await host.open();
    for (const tool of (await host.tools(session)).values()) await host.call(session, tool, {});
    const resources = valueOf(await session.attachments.listResources());
    for (const { uri } of resources.entries) valueOf(await session.attachments.readResource(uri));
    const prompts = valueOf(await session.attachments.listPrompts());
    for (const { rawName } of prompts.entries) valueOf(await session.attachments.getPrompt(rawName, {}));
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

/** All of the sign-in scenarios end in one call of one tool. */
const signInAndCall = callOne('test-tool');

export function scenarioFor(name: string): Scenario | undefined {
  return scenarios[name] ?? (name.startsWith('auth/') ? signInAndCall : undefined);
}

/** What the user would have entered on the page of the server. */
export function clientFor(name: string, context: Context): SignInClientDraft | undefined {
  if (name === 'auth/basic-cimd') return { kind: 'document', address: 'https://conformance-test.local/client-metadata.json' };
  const { client_id: clientId, client_secret: secret, private_key_pem: key } = context;
  if (typeof clientId === 'string' && name.startsWith('auth/client-credentials-')) {
    if (typeof key === 'string') return { kind: 'itself', clientId, proof: 'key', secret: key };
    if (typeof secret === 'string') return { kind: 'itself', clientId, proof: 'secret', secret };
  }
  if (typeof clientId !== 'string' || typeof secret !== 'string') return undefined;
  return { kind: 'entered', clientId, secret, callback: 'http://127.0.0.1:8976/callback' };
}

function valueOf<T>(outcome: Result<T, SessionProblem>): T {
  if (!outcome.ok) throw new Error(outcome.problem.message);
  return outcome.value;
}

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
