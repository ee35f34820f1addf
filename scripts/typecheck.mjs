// Type-checks each root on its own terms.
import { join } from 'node:path';
import { capture, main, root, secondsSince, startedDirectly } from './steps.mjs';

const ROOTS = ['src-shared', 'src-main', 'src-renderer', 'test'];

/** Type-checks all roots, so many at a time, prints what is wrong and gives the number of roots with errors. */
export async function typecheck(atOnce = 2) {
  const waiting = [...ROOTS];
  let failed = 0;
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const startedAt = performance.now();
      const { code, output } = await capture(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', name]);
      if (code !== 0) failed += 1;
      process.stdout.write(`${output}typecheck ${name}: ${code === 0 ? 'ok' : 'failed'}, ${secondsSince(startedAt)} s\n`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return failed;
}

if (startedDirectly(import.meta.url)) {
  await main(async () => ((await typecheck()) > 0 ? 1 : 0));
}
