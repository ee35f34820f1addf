// Which client scenarios of the official suite are run, at which protocol revision, and which are left out and why.

/** The session era's last revision and the stateless one: a scenario that knows both is run in both. */
export const REVISIONS = ['2025-11-25', '2026-07-28'];

export const suites = [
  { title: 'newest', folder: '@modelcontextprotocol/conformance', knowsRevisions: true },
  { title: 'stable', folder: '@modelcontextprotocol/conformance-stable', knowsRevisions: false },
];

const NO_SIGN_IN = 'signing in is not part of this build';
const NO_SKILLS = 'skills are not part of this build';

/** By name, or by what a group of names begins with. */
export const leftOut = [
  { name: 'auth/', why: NO_SIGN_IN },
  { name: 'sep-2640-client-', why: NO_SKILLS },
];
