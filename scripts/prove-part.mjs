// One stretch of the egress proof, as the ordinary user inside the private network. prove-egress.mjs starts it.
import { runPlaywright } from './playwright.mjs';
import { main } from './steps.mjs';

await main(() => runPlaywright('proof', ['--grep', `${process.argv[2]}$`]));
