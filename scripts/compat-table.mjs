// What npm run compat found, as a page for people.
import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

const MAX_WORDS = 240;

/** Writes the page. Only what was met in this run stands in it. */
export async function writeTable(file, results) {
  const works = results.filter((each) => each.works).length;
  const rows = results.map((each) => {
    const cells = [each.name, each.version, eraOf(each.era), each.era === null ? '' : String(each.tools), each.seconds];
    return `| ${[...cells, whatHappened(each)].join(' | ')} |`;
  });
  const page = `# Public servers, tried

\`npm run compat\` installs these ${results.length} servers from the npm registry (without install scripts), starts each one with \`portcullis mcp test\` as an ordinary user in an empty home folder, without accounts or keys, lists its tools and ends it. The page is written by that command; nothing in it is typed by hand.

${works} of ${results.length} connected and listed their tools on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node}. What the others need stands in the last column, in the sentence the app says and the server's own last words. A server counts as failed when the app's sentence is missing, when it does not end in time, or when it leaves a program running.

| Server | Version | Protocol | Tools | Seconds | What happened |
| --- | --- | --- | --: | --: | --- |
${rows.join('\n')}
`;
  writeFileSync(file, await format(page, { ...(await resolveConfig(file)), parser: 'markdown' }));
}

function eraOf(era) {
  return era === 'modern' ? 'stateless' : era === 'legacy' ? 'with a session' : '';
}

function whatHappened({ passed, sentence }) {
  return (passed ? '' : 'FAILED. ') + inCell(sentence);
}

/** A stranger's words inside a table of ours. */
function inCell(text) {
  const line = text
    .replace(/[^\P{C}\n]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  const cut = line.length > MAX_WORDS ? `${line.slice(0, MAX_WORDS)}…` : line;
  return cut.replace(/[\\|`*_<>[\]]/g, String.raw`\$&`);
}
