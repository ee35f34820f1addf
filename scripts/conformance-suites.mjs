// Which client scenarios of the official suite are run, at which protocol revision, and which are left out and why.

/** The session era's last revision and the stateless one: a scenario that knows both is run in both. */
export const REVISIONS = ['2025-11-25', '2026-07-28'];

export const suites = [
  { title: 'newest', folder: '@modelcontextprotocol/conformance', knowsRevisions: true },
  { title: 'stable', folder: '@modelcontextprotocol/conformance-stable', knowsRevisions: false },
];

const NO_WORKLOAD = 'an extension: tokens from the identity of a workload, which a desktop app does not have';
const NO_COMPANY = 'an extension: tokens from a company’s own sign-in, which this app does not use';
const NO_SKILLS = 'an extension: skills are not part of this build';

/** By name, or by what a group of names begins with; in one suite alone where it is named. */
export const leftOut = [
  { name: 'auth/wif-jwt-bearer', why: NO_WORKLOAD },
  { name: 'auth/enterprise-managed-authorization', why: NO_COMPANY },
  { name: 'auth/cross-app-access-complete-flow', why: NO_COMPANY },
  {
    name: 'auth/2025-03-26-oauth-metadata-backcompat',
    suite: 'stable',
    why: 'this suite’s server names a wrong issuer, which is refused (RFC 8414, 3.3); the newest suite names the right one',
  },
  { name: 'sep-2640-client-', why: NO_SKILLS },
];
