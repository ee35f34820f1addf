// npm run bench: measures the app beside a floor and a peer, in one run. One JSON line a figure goes to stdout.
import { bundleSubjects } from './bundle.mjs';
import { main, say, Stop } from '../scripts/steps.mjs';
import { measureElectronStart } from './electron-start.mjs';
import { measureHttpEcho, measureStdioEcho } from './echo.mjs';
import { measureGrantCall } from './grant-call.mjs';
import { measureOddAnswers } from './odd-answers.mjs';
import { measureRegistryPlan } from './registry-plan.mjs';
import { measureReplyCap } from './reply-cap.mjs';

const BENCHES = {
  'reply-cap': measureReplyCap,
  'odd-answers': measureOddAnswers,
  'stdio-echo': measureStdioEcho,
  'http-echo': measureHttpEcho,
  'registry-plan': measureRegistryPlan,
  'grant-call': measureGrantCall,
  'electron-start': measureElectronStart,
};

await main(async () => {
  const given = process.argv.slice(2);
  const unknown = given.filter((name) => !Object.hasOwn(BENCHES, name));
  if (unknown.length > 0)
    throw new Stop(`There is no bench called ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}.`);
  const folder = await bundleSubjects();
  let failures = 0;
  for (const name of given.length > 0 ? given : Object.keys(BENCHES)) {
    say(`${name} ...`);
    try {
      await BENCHES[name](folder);
    } catch (error) {
      failures += 1;
      say(`${name} could not be measured: ${error instanceof Error ? error.message : error}`);
    }
  }
  return failures > 0 ? 1 : 0;
});
