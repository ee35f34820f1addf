// The program the official suite starts for each scenario: it reaches the suite's server as the app would.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openHost } from './host';
import { clientFor, scenarioFor, type Context } from './scenarios';

const name = process.env['MCP_CONFORMANCE_SCENARIO'] ?? '';
const scenario = scenarioFor(name);
const endpoint = process.argv.at(-1) ?? '';
if (!scenario) throw new Error(`This client has nothing to do for ${name}.`);
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Context;

const folder = mkdtempSync(join(tmpdir(), 'portcullis-conformance-'));
const client = clientFor(name, context);
const host = openHost({ endpoint, ledgerFolder: folder, ...(client ? { client } : {}) });
try {
  await scenario(host, context);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await host.close();
  rmSync(folder, { recursive: true, force: true });
}
