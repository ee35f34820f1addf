import { Agent, setGlobalDispatcher } from 'undici';
import { expect, test } from 'vitest';
import { refuseGlobalNetwork } from '../../../src-main/egress/refuse-global-network';
import { listen } from './local-server';

// In a process of its own: what is refused here is refused for good.
test('P1: the global fetch is refused, and nothing can bring it back', async () => {
  const server = await listen((_request, response) => response.end());
  expect((await fetch(server.origin)).status).toBe(200);
  refuseGlobalNetwork();
  refuseGlobalNetwork();
  await expect(fetch(server.origin)).rejects.toMatchObject({ cause: { code: 'EGRESS_NO_ROUTE' } });
  expect(() => setGlobalDispatcher(new Agent())).toThrow();
  await expect(fetch(server.origin)).rejects.toMatchObject({ cause: { code: 'EGRESS_NO_ROUTE' } });
  expect(server.requests).toHaveLength(1);
});
