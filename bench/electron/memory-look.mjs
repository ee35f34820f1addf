// One process asks, another that is let look answers: by files, because the two are different users.
import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { processTree } from './process-tree.mjs';

const POLL_MS = 50;
const ANSWER_LIMIT_MS = 10_000;

/** Answers what is asked in a folder, until it is stopped. */
export function answerLooks(folder) {
  const timer = setInterval(() => {
    for (const name of readdirSync(folder)) {
      const id = /^ask-(\d+)$/.exec(name)?.[1];
      if (id && !existsSync(join(folder, `told-${id}`))) place(folder, `told-${id}`, processTree(Number(id)));
    }
  }, POLL_MS);
  return { stop: () => clearInterval(timer) };
}

/** Asks for the processes below `pid`. */
export async function lookAt(folder, pid) {
  place(folder, `ask-${pid}`, null);
  const answer = join(folder, `told-${pid}`);
  for (
    const limit = performance.now() + ANSWER_LIMIT_MS;
    !existsSync(answer);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  ) {
    if (performance.now() > limit) throw new Error('Nobody looked at the memory of the app.');
  }
  return JSON.parse(readFileSync(answer, 'utf8'));
}

/** Renamed into place, so that nobody reads a half of it. */
function place(folder, name, value) {
  writeFileSync(join(folder, `${name}.part`), JSON.stringify(value));
  renameSync(join(folder, `${name}.part`), join(folder, name));
}
