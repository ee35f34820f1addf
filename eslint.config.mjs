import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';
import { doors, electronDoors, tiers } from './architecture.mjs';

const rooms = tiers.flat();
const tierOf = (room) => tiers.findIndex((tier) => tier.includes(room));
const escape = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Matches a module, its `node:` form and everything below it, but not a longer name. */
const moduleAndBelow = (name) => `^(?:node:)?${escape(name)}(?:/.*)?$`;

const roomPattern = (other) => `^(?:\\.\\./)+(?:src-main/)?${other}/`;

function doorPatterns(room) {
  return doors
    .filter((door) => !door.rooms.includes(room))
    .flatMap((door) =>
      door.modules.map((name) => ({ regex: moduleAndBelow(name), message: `Only ${door.rooms.join(', ')} may import ${name}.` })),
    );
}

function tierPatterns(room) {
  return rooms
    .filter((other) => other !== room && tierOf(other) >= tierOf(room))
    .map((other) => ({
      regex: roomPattern(other),
      message: `${room} may not import ${other}: a room imports only lower tiers.`,
    }));
}

function electronPaths(room) {
  return electronDoors
    .filter((door) => !door.rooms.includes(room))
    .flatMap((door) =>
      door.names.map((name) => ({
        name: 'electron',
        importNames: [name],
        message:
          door.rooms.length > 0
            ? `Only ${door.rooms.join(', ')} may import ${name} from electron.`
            : `Nothing may import ${name} from electron.`,
      })),
    );
}

const networkGlobals = ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest'].map((name) => ({
  name,
  message: `Only the door in egress reaches the network; ${name} goes around it.`,
}));

const noEval = [
  { selector: 'ImportExpression > :not(Literal).source', message: 'A dynamic import names its module as a literal.' },
  { selector: "CallExpression[callee.name='require']", message: 'Import modules; require goes around the doors.' },
  {
    selector: "ImportDeclaration[source.value='electron'] > ImportNamespaceSpecifier",
    message: 'Name what is taken from electron.',
  },
  {
    selector: "ImportDeclaration[source.value='electron'] > ImportDefaultSpecifier",
    message: 'Name what is taken from electron.',
  },
];
const houseStyle = [
  { selector: 'TSEnumDeclaration', message: 'A closed set is a union of literals, not an enum.' },
  { selector: 'ExportDefaultDeclaration', message: 'Exports have names.' },
];
const pure = [
  {
    selector: "MemberExpression[object.name='Date'][property.name='now']",
    message: 'Shared rules have no clock: take the time as a parameter.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Shared rules have no clock: take the time as a parameter.',
  },
  { selector: "CallExpression[callee.name='Date']", message: 'Shared rules have no clock: take the time as a parameter.' },
  {
    selector: "MemberExpression[object.name='Math'][property.name='random']",
    message: 'Shared rules have no chance: take random values as a parameter.',
  },
];
const outsideOfPure = [
  'setTimeout',
  'setInterval',
  'setImmediate',
  'queueMicrotask',
  'console',
  'globalThis',
  'process',
  'crypto',
];

const noBarrel = {
  files: ['src-*/**/index.ts', 'src-*/**/index.tsx'],
  rules: {
    'no-restricted-syntax': ['error', { selector: 'Program', message: 'No barrels: import from the file that has the thing.' }],
  },
};

export default tseslint.config(
  {
    ignores: [
      'node_modules',
      'out',
      'dist',
      'coverage',
      'test-results',
      '.stryker-tmp',
      'test/fixtures/hostile',
      'test/egress-proof/hostile-page',
    ],
  },
  js.configs.recommended,
  ...tseslint.configs.recommended,
  {
    linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'error' },
    rules: {
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-new-func': 'error',
      // The control characters that a rule strips are named in its pattern.
      'no-control-regex': 'off',
      'no-undef': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, caughtErrors: 'none' }],
    },
  },
  {
    files: ['src-main/**/*.ts'],
    languageOptions: { parserOptions: { project: ['./src-main/tsconfig.json'], tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      'no-restricted-globals': ['error', ...networkGlobals],
      'no-restricted-properties': [
        'error',
        ...networkGlobals.map(({ name, message }) => ({ object: 'globalThis', property: name, message })),
      ],
      'no-restricted-syntax': ['error', ...noEval, ...houseStyle],
    },
  },
  ...rooms.map((room) => ({
    files: [`src-main/${room}/**/*.ts`],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: electronPaths(room),
          patterns: [
            ...doorPatterns(room),
            ...tierPatterns(room),
            { regex: 'src-renderer/', message: 'src-main may not import the window.' },
          ],
        },
      ],
    },
  })),
  {
    files: ['src-shared/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!\\./|(?:\\.\\./)+(?!.*src-(?:main|renderer)/)|zod$|zod/|@noble/hashes/)',
              message: 'src-shared may import only src-shared, zod and @noble/hashes.',
            },
            { regex: 'src-(?:main|renderer)/', message: 'src-shared may import only src-shared, zod and @noble/hashes.' },
          ],
        },
      ],
      'no-restricted-globals': [
        'error',
        ...networkGlobals,
        ...outsideOfPure.map((name) => ({ name, message: `Shared rules are pure, and ${name} is not part of a rule.` })),
      ],
      'no-restricted-syntax': ['error', ...noEval, ...houseStyle, ...pure],
    },
  },
  {
    files: ['src-renderer/**/*.{ts,tsx}'],
    plugins: { 'react-hooks': reactHooks },
    rules: {
      'react-hooks/rules-of-hooks': 'error',
      'react-hooks/exhaustive-deps': 'error',
      'no-restricted-globals': ['error', ...networkGlobals],
      'no-restricted-syntax': ['error', ...noEval, ...houseStyle],
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            { regex: 'src-main/', message: 'src-renderer may not import src-main: it asks through host.' },
            { regex: '^node:', message: 'The window has no Node.' },
            { regex: moduleAndBelow('electron'), message: 'The window has no Electron: it asks through host.' },
            ...doors
              .flatMap((door) => door.modules)
              .map((name) => ({ regex: moduleAndBelow(name), message: 'The window has no Node.' })),
          ],
        },
      ],
    },
  },
  noBarrel,
);
