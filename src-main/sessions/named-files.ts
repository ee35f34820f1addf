import { delimiter, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `server.js`, `--config=server.json`, `-rhook.js`, `@options`, `file:///x.mjs` and `a.jar:b.jar` all name files whose content decides what happens. */
export async function digestOfNamedFile(
  arg: string,
  cwd: string,
  parts: { digestIfWritable(path: string): Promise<string | null> },
): Promise<string | null> {
  const digests: string[] = [];
  for (const path of pathsIn(arg)) {
    const digest = await parts.digestIfWritable(resolve(cwd, path));
    if (digest !== null && !digests.includes(digest)) digests.push(digest);
  }
  return digests.length === 0 ? null : digests.join(' ');
}

function pathsIn(arg: string): Set<string> {
  const values = [arg, /^[^=]+=(.+)$/s.exec(arg)?.[1], /^-\w(.+)$/s.exec(arg)?.[1], /^@(.+)$/s.exec(arg)?.[1]];
  const paths = values.flatMap((value) => (value === undefined ? [] : [value, ...value.split(delimiter)]));
  return new Set(paths.filter((path) => path !== '').map((path) => (URL.canParse(path) ? pathOfFileUrl(path) : path)));
}

function pathOfFileUrl(text: string): string {
  try {
    return text.toLowerCase().startsWith('file:') ? fileURLToPath(text) : text;
  } catch {
    return text;
  }
}
