import { homedir } from 'node:os';
import type { Clock } from '../../src-shared/base/clock';
import { failed } from '../../src-shared/base/result';
import type { ServerConfig } from '../../src-shared/servers/server.schema';
import { digestIfWritable } from '../processes/file-digest';
import { findProgram } from '../processes/find-program';
import { foreignListener } from '../processes/loopback-listener';
import { programCalls } from '../processes/program-calls';
import { lookInShell } from '../processes/shell-lookup';
import { planLaunch } from '../sessions/launch-plan';
import type { Stores } from './open-stores';

/** Plans launches with what this computer holds; hidden values of variables are masked from the moment they are read (S5, S6). */
export function launchPlanner({
  secrets,
  alsoMask,
}: Pick<Stores, 'secrets' | 'alsoMask'>): (config: ServerConfig) => ReturnType<typeof planLaunch> {
  return async (config) => {
    const planned = await planLaunch(config, {
      ...{ findProgram: findOrPoint, digestIfWritable, foreignListener },
      readSecret: (ref) => secrets.vault.read(ref),
      hostEnv: process.env,
      home: homedir(),
      key: secrets.keyFor('launch-fingerprint'),
    });
    if (planned.ok) alsoMask(planned.value.hidden ?? []);
    return planned;
  };
}

type Planner = ReturnType<typeof launchPlanner>;

/** Works nothing out for an entry that something stands against; a sentence says what (T3). */
export const unlessRefused =
  (plan: Planner, refusal: (config: ServerConfig) => string | null): Planner =>
  async (config) => {
    const against = refusal(config);
    return against === null ? plan(config) : failed(against);
  };

/** What PATH does not name, the login shell of the user can still know of: the form of a server asks it when pressed (W7). */
const findOrPoint: typeof findProgram = async (command, places) => {
  const found = await findProgram(command, places);
  if (found.ok || found.problem.searched.length === 0) return found;
  const message = `${found.problem.message} “Look in my shell”, where its command is changed, asks your login shell.`;
  return failed({ ...found.problem, message });
};

/** The calls about programs of this computer. */
export const ownProgramCalls = (clock: Clock, noActProblem: () => string | null): ReturnType<typeof programCalls> =>
  programCalls({ noActProblem, lookInShell: (name) => lookInShell(name, { hostEnv: process.env, home: homedir(), clock }) });
