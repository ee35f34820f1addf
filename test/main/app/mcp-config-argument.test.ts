import { expect, test } from 'vitest';
import { mcpConfigArgument } from '../../../src-main/app/mcp-config-argument';

test.each([
  [['/opt/portcullis', '--mcp-config', 'x.json'], '/here/x.json'],
  [['electron', '.', '--mcp-config=/a/x.json', '--other'], '/a/x.json'],
  [['electron', '.', '--mcp-config', 'a.json', '--mcp-config', 'b.json'], '/here/a.json'],
  [['electron', '.', '--mcp-config'], null],
  [['electron', '.', '--mcp-config='], null],
  [['electron', '.', '--mcp-configs', 'x.json', 'x.json'], null],
])('S9: %j names %j', (args, file) => {
  expect(mcpConfigArgument(args, '/here')).toBe(file);
});
