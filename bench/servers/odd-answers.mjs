/** A notification that asks for nothing, as small as they come. */
export const NOTE = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}';
export const NOTES = 1_000_000;

/** What a server prints that takes its output for a console. */
export const NOISE = `[info] ${'listening for requests '.repeat(4)}`;
export const NOISE_LINES = 10_000;

const TOOLS = 325;
const TOOL_BYTES = 2000;

/** A long list: as many tools as the largest real server has, of two kilobytes each. */
export const listing = (id) => ({
  jsonrpc: '2.0',
  id,
  result: {
    tools: Array.from({ length: TOOLS }, (_, index) => ({
      name: `tool_${index}`,
      description: 'Answers. '.repeat(TOOL_BYTES / 2 / 9),
      inputSchema: {
        type: 'object',
        properties: { text: { type: 'string', description: 'A text. '.repeat(TOOL_BYTES / 2 / 8) } },
      },
    })),
  },
});
