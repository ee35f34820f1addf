import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const sources = readdirSync(join(root, 'src-main'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: path.slice(root.length + 1), text: readFileSync(path, 'utf8') }));
const filesWith = (pattern: RegExp) =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .sort();

test('H20, A1: a tool of a server is called in the pipeline alone, and by the command that a person gives by hand', () => {
  const calls = filesWith(/\.callTool\(/).filter((path) => !path.startsWith('src-main/sessions/'));
  expect(calls).toEqual(['src-main/cli/mcp-test.ts', 'src-main/tools/tool-pipeline.ts']);
});

test('H20, A1: the pipeline is made once, and the decision about a call stands in it alone', () => {
  expect(filesWith(/new ToolPipeline\(/)).toEqual(['src-main/app/open-tools.ts']);
  expect(filesWith(/\bdecideApproval\(/).filter((path) => !path.startsWith('src-main/tools/'))).toEqual([]);
});
