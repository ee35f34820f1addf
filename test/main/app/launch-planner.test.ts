import { expect, test } from 'vitest';
import { launchPlanner } from '../../../src-main/app/launch-planner';
import { failed } from '../../../src-shared/base/result';
import { ServerConfigSchema } from '../../../src-shared/servers/server.schema';

function setUp() {
  const masked: string[] = [];
  const plan = launchPlanner({
    secrets: { vault: { read: () => failed('missing') }, keyFor: () => Buffer.alloc(32, 1) } as never,
    alsoMask: (values) => void masked.push(...values),
  });
  return { masked, plan: (connection: unknown) => plan(ServerConfigSchema.parse({ id: 'one', name: 'Notes', connection })) };
}

test('W7: a program that is not found says where it was looked for, and who else can be asked', async () => {
  const { plan } = setUp();
  const planned = await plan({ kind: 'stdio', command: 'no-such-program-here', args: [], env: [] });
  expect(planned).toEqual(failed(expect.stringMatching(/Looked in \/.*“Look in my shell”, where its command is changed/)));
  const absolute = await plan({ kind: 'stdio', command: '/no-such-program-here', args: [], env: [] });
  expect(absolute).toEqual(failed(expect.not.stringMatching(/Look in my shell/)));
});

test('S5, S6: a hidden value of a variable is masked from the moment it is read', async () => {
  const { plan, masked } = setUp();
  process.env['PORTCULLIS_PLANNER_TEST'] = 'canary-value';
  const headers = [{ name: 'X-Team', value: { kind: 'literal', value: '${PORTCULLIS_PLANNER_TEST}' } }];
  await plan({ kind: 'http', endpoint: 'https://a.example/mcp', headers });
  delete process.env['PORTCULLIS_PLANNER_TEST'];
  expect(masked).toEqual(['canary-value']);
});
