import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bundleScripts } from '../scripts/bundle.mjs';
import { root } from '../scripts/steps.mjs';

const SUBJECTS = 'bench/subjects';

/** Bundles every file of bench/subjects and gives the folder with the scripts. */
export function bundleSubjects() {
  const files = readdirSync(join(root, SUBJECTS)).filter((file) => file.endsWith('.ts'));
  return bundleScripts(Object.fromEntries(files.map((file) => [file.slice(0, -3), `${SUBJECTS}/${file}`])), 'portcullis-bench');
}
