import { parentPort } from 'node:worker_threads';
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker';

// The whole program of the checking thread. A stranger's pattern can run for ever, and here it holds nobody up.

type Schema = Parameters<CfWorkerJsonSchemaValidator['getValidator']>[0];

// It compiles nothing with eval and fetches no reference.
const validators = new CfWorkerJsonSchemaValidator();

parentPort?.on('message', ({ id, schema, value }: { id: number; schema: Schema; value: unknown }) => {
  try {
    const { valid } = validators.getValidator(schema)(value);
    parentPort?.postMessage({ id, verdict: valid ? 'fits' : 'differs' });
  } catch {
    parentPort?.postMessage({ id, verdict: 'unreadable' });
  }
});
