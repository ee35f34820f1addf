import { expect, test } from 'vitest';
import { findKeys, markSpans, outboundSentences, storedSecretIn } from '../../../src-shared/approvals/outbound-check';
import { visibleToString } from '../../../src-shared/base/visible-text';

// Put together here, so that no scanner takes this file for a leak.
const a = (count: number): string => 'aB3'.repeat(100).slice(0, count);
const jwt = `ey${'J'}${a(20)}.ey${'J'}${a(30)}.${a(43)}`;
const pem = (kind: string): string => `-----BEGIN ${kind}PRIVATE ${'KEY'}-----\n${a(64)}`;

const KEYS: readonly string[] = [
  'AKIA' + 'ABCDEFGHIJKLMNOP',
  'ASIA' + '234567ABCDEFGHIJ',
  ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((kind) => `${kind}_${a(36)}`),
  `github_pat_${a(22)}_${a(59)}`,
  `glpat-${a(20)}`,
  ...['xoxb', 'xoxp', 'xoxa'].map((kind) => `${kind}-123456789012-${a(24)}`),
  ...['sk_live', 'rk_live', 'sk_test', 'rk_test'].map((kind) => `${kind}_${a(24)}`),
  `sk-ant-api03-${a(80)}`,
  `sk-proj-${a(60)}`,
  `sk-svcacct-${a(60)}`,
  `sk-admin-${a(60)}`,
  `sk-${a(48)}`,
  `AIza${a(35)}`,
  `npm_${a(36)}`,
  jwt,
  pem(''),
  pem('RSA '),
  pem('EC '),
  pem('OPENSSH '),
  pem('ENCRYPTED '),
  `${pem('RSA ')}\n-----END RSA PRIVATE KEY-----`,
];

const NOT_KEYS: readonly string[] = [
  '',
  'AKIA',
  'AKIAabcdefghijklmnop',
  'AKIA' + 'ABCDEFGHIJKLMNOPQ',
  'xAKIA' + 'ABCDEFGHIJKLMNOP',
  'ghp_short',
  `ghx_${a(36)}`,
  `xghp_${a(36)}`,
  'github_pat_',
  'glpat-short',
  'xoxb-one-two',
  'xoxo, see you',
  'pk_live_' + a(24),
  'sk_live_',
  'task-force',
  'sk-short',
  'risk-' + a(48),
  'sk-learn-and-other-packages',
  'AIza',
  `AIza${a(50)}`,
  'npm_config_registry',
  'npm_lifecycle_event',
  'eyJ',
  'eyJhbGciOiJIUzI1NiJ9',
  'eyJhbGciOi.notajwt.atall',
  '-----BEGIN CERTIFICATE-----',
  '-----BEGIN PUBLIC KEY-----',
  'BEGIN PRIVATE KEY',
  'd41d8cd98f00b204e9800998ecf8427e',
  '3f2504e0-4f89-41d3-9a0c-0305e82c3301',
];

test('A7: the table holds thirty of each', () => expect([KEYS.length, NOT_KEYS.length]).toEqual([30, 30]));

test.each(KEYS)('A7: %s is a key, alone, in JSON and after a line end', (key) => {
  for (const text of [key, `say ${key}`, JSON.stringify({ deep: [`x\n${key}`] })]) expect(findKeys(text)).toHaveLength(1);
});

test.each(NOT_KEYS)('A7: %j is no key', (text) => expect(findKeys(text)).toEqual([]));

test('A7: what is marked changes nothing of what is shown', () => {
  const text = `one ${KEYS[0]} two\u200b ${jwt}`;
  const marked = markSpans(text, findKeys(text), []);
  expect(visibleToString(marked)).toBe(`one ${KEYS[0]} two\\u200b ${jwt}`);
  expect(marked.filter((segment) => segment.marked).map((segment) => segment.text)).toEqual([KEYS[0], jwt]);
});

const NAMED: readonly [key: string, what: string][] = [
  ['AKIA' + 'ABCDEFGHIJKLMNOP', 'an AWS access key'],
  [`ghp_${a(36)}`, 'a GitHub token'],
  [`github_pat_${a(22)}_${a(59)}`, 'a GitHub token'],
  [`glpat-${a(20)}`, 'a GitLab token'],
  [`xoxb-123456789012-${a(24)}`, 'a Slack token'],
  [`sk_live_${a(24)}`, 'a Stripe key'],
  [`sk-ant-api03-${a(80)}`, 'an Anthropic key'],
  [`sk-proj-${a(60)}`, 'an OpenAI key'],
  [`sk-${a(48)}`, 'an OpenAI key'],
  [`AIza${a(35)}`, 'a Google key'],
  [`npm_${a(36)}`, 'an npm token'],
  [jwt, 'a signed token (JWT)'],
  [pem('RSA '), 'a private key'],
];
test.each(NAMED)('A7: %s is called by its name', (key, what) => {
  expect(findKeys(`x ${key}`)).toEqual([{ from: 2, to: 2 + key.length, what }]);
});

test('A6, A7: every character carries exactly the marks of the parts it stands in', () => {
  let seed = 3;
  const next = (below: number): number => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  const text = Array.from({ length: 60 }, (_, at) => String.fromCharCode(97 + (at % 26))).join('');
  for (let round = 0; round < 300; round += 1) {
    const keys = Array.from({ length: next(5) }, () => {
      const from = next(60);
      // One can reach past what is shown: the line ends behind a text are spelled out apart from it.
      return { from, to: from + 1 + next(12), what: 'a key' };
    });
    const overlaps = [0, 1, 2].flatMap((nth) => {
      const from = nth * 20 + next(8);
      return next(3) === 0 ? [] : [{ from, to: from + 5 + next(20 - (from % 20) - 4), group: nth }];
    });
    const shown = markSpans(text, keys, overlaps);
    expect(visibleToString(shown)).toBe(text);
    const marks = shown.flatMap((segment) => Array.from(segment.text, () => [segment.marked === true, segment.source]));
    const isIn = ({ from, to }: { from: number; to: number }, at: number): boolean => from <= at && at < to;
    expect(marks).toEqual(
      Array.from(text, (_, at) => [keys.some((key) => isIn(key, at)), overlaps.find((part) => isIn(part, at))?.group]),
    );
  }
});

test('A7: keys that touch or hold one another are one part, and so are its marks', () => {
  const spans = [
    { from: 4, to: 6, what: 'a key' },
    { from: 0, to: 5, what: 'a key' },
    { from: 6, to: 7, what: 'a key' },
  ];
  expect(markSpans('abcdefghij', spans, [])).toEqual([
    { kind: 'text', text: 'abcdefg', marked: true },
    { kind: 'text', text: 'hij' },
  ]);
});

test('A7: a stored secret is found where its mask stands, in whatever form', () => {
  expect(storedSecretIn('a hunter2 b', 'a [secret] b', '[secret]')).toEqual([{ from: 2, to: 9, what: 'a secret you stored' }]);
  expect(storedSecretIn('a b', 'a b', '[secret]')).toEqual([]);
});

test('A7: a sentence names what it looks like and who would receive it', () => {
  expect(outboundSentences(findKeys(`${KEYS[0]} ${KEYS[1]}`), 'a.example')).toEqual([
    'The arguments hold what looks like an AWS access key. Running this gives it to a.example.',
  ]);
});

test.each(['eyJ', '-eyJ', '.eyJaaaaaaaaaaaa', 'sk-proj-', '-----BEGIN ', 'xoxb-1', ' AKIA'])(
  'A7: a megabyte of %j is searched at once',
  (part) => {
    const started = performance.now();
    findKeys(part.repeat(1_000_000 / part.length));
    expect(performance.now() - started).toBeLessThan(1500);
  },
);
