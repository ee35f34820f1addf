import { describe, expect, test } from 'vitest';
import {
  type ApprovalDecision,
  type ApprovalOffer,
  decideApproval,
  describeClaims,
  offersFor,
  reasonsFor,
  type ToolCallFacts,
} from '../../../src-shared/approvals/approval-rule';
import { CallerKindSchema, type ToolClaims } from '../../../src-shared/tools/tool.schema';

const facts = (changes: Partial<ToolCallFacts> = {}): ToolCallFacts => ({
  reviewed: true,
  claims: {},
  grant: 'none',
  caller: 'model',
  ...changes,
});
const inThisChat: Partial<ToolCallFacts> = { grant: 'this-chat' };
const hints = [undefined, true, false];
const everyClaim: ToolClaims[] = hints.flatMap((readOnly) =>
  hints.map((destructive) => ({
    ...(readOnly === undefined ? {} : { readOnly }),
    ...(destructive === undefined ? {} : { destructive }),
  })),
);

describe('decideApproval', () => {
  const table: [because: string, facts: ToolCallFacts, decision: ApprovalDecision, offers: ApprovalOffer[]][] = [
    ['A1: no grant, no claim', facts(), 'ask', ['once', 'this-chat', 'always']],
    ['A1: a grant in this chat', facts(inThisChat), 'run', ['once', 'this-chat', 'always']],
    ['A1: a lasting grant', facts({ grant: 'always' }), 'run', ['once', 'this-chat', 'always']],
    ['A1: a lasting grant for the command line', facts({ grant: 'always', caller: 'command-line' }), 'run', ['once', 'always']],
    [
      'A1: a tool of the app has no lasting grant',
      facts({ builtIn: { kind: 'write', risky: false } }),
      'ask',
      ['once', 'this-chat'],
    ],
    ['A7: a key in the arguments asks though granted for good', facts({ grant: 'always', holdsKey: true }), 'ask', ['once']],
    ['R4: not reviewed, though granted for good', facts({ reviewed: false, grant: 'always' }), 'refuse', []],
    [
      'A3: destructive, though granted for good',
      facts({ claims: { destructive: true }, grant: 'always' }),
      'ask-harder',
      ['once'],
    ],
    ['A1: run by hand asks too', facts({ caller: 'you' }), 'ask', ['once', 'this-chat', 'always']],
    ['A1: the command line has no chat to grant in', facts({ caller: 'command-line' }), 'ask', ['once', 'always']],
    ['R4: not reviewed', facts({ reviewed: false }), 'refuse', []],
    ['R4: not reviewed, though granted', facts({ reviewed: false, ...inThisChat }), 'refuse', []],
    ['R4: not reviewed, though destructive', facts({ reviewed: false, claims: { destructive: true } }), 'refuse', []],
    ['A3: a claim to read only grants nothing', facts({ claims: { readOnly: true } }), 'ask', ['once', 'this-chat', 'always']],
    ['A3: nor does a claim not to destroy', facts({ claims: { destructive: false } }), 'ask', ['once', 'this-chat', 'always']],
    ['A3: destructive asks harder and offers only once', facts({ claims: { destructive: true } }), 'ask-harder', ['once']],
    [
      'A3: destructive asks harder even when granted',
      facts({ claims: { destructive: true }, ...inThisChat }),
      'ask-harder',
      ['once'],
    ],
    [
      'A3: contradictory hints tighten',
      facts({ claims: { readOnly: true, destructive: true }, ...inThisChat }),
      'ask-harder',
      ['once'],
    ],
    [
      'A3: an open world or idempotent claim changes nothing',
      facts({ claims: { openWorld: true, idempotent: true }, ...inThisChat }),
      'run',
      ['once', 'this-chat', 'always'],
    ],
  ];
  test.each(table)('%s', (_because, given, decision, offers) => {
    expect(decideApproval(given)).toBe(decision);
    expect(offersFor(given)).toEqual(offers);
  });

  test('A3: no claim of any kind ever loosens what stands without it', () => {
    const strictness: ApprovalDecision[] = ['run', 'ask', 'ask-harder', 'refuse'];
    for (const claims of everyClaim)
      for (const reviewed of [true, false])
        for (const grant of ['none', 'this-chat', 'always'] as const)
          for (const caller of CallerKindSchema.options) {
            const without = facts({ reviewed, grant, caller });
            const withClaims = { ...without, claims };
            expect(strictness.indexOf(decideApproval(withClaims))).toBeGreaterThanOrEqual(
              strictness.indexOf(decideApproval(without)),
            );
            expect(offersFor(without)).toEqual(expect.arrayContaining(offersFor(withClaims)));
          }
  });
});

describe('reasonsFor', () => {
  test('A5: nothing to say when it runs', () => {
    expect(reasonsFor(facts(inThisChat))).toEqual([]);
  });
  test('A5: says who asks and what the server claims', () => {
    expect(reasonsFor(facts())).toEqual([
      'The model asks to run this tool.',
      'The server does not say whether this tool changes things.',
    ]);
    expect(reasonsFor(facts({ caller: 'you' }))[0]).toBe('You chose to run this tool by hand.');
    expect(reasonsFor(facts({ caller: 'command-line' }))[0]).toContain('command line');
  });
  test('A3: says why a grant is not enough', () => {
    expect(reasonsFor(facts({ claims: { destructive: true }, ...inThisChat }))[1]).toContain('asks every time');
    expect(reasonsFor(facts({ claims: { destructive: true }, grant: 'always' }))[1]).toMatch(/allowed this tool always, but/);
    expect(reasonsFor(facts({ claims: { destructive: true } }))).toHaveLength(2);
  });
  test('A3: what is granted and destroys says so, and what does not destroy does not', () => {
    const asked = facts({ holdsKey: true, ...inThisChat });
    expect(reasonsFor(asked)).toEqual([
      'The model asks to run this tool.',
      'What looks like a key is in the arguments. Such a call asks every time.',
      'The server does not say whether this tool changes things.',
    ]);
    expect(reasonsFor({ ...asked, holdsKey: false })).toEqual([]);
  });
  test('A6: names whose text holds it', () => {
    const source = { id: '1', kind: 'result', tool: null, serverName: 'files', name: 'read', texts: [] } as const;
    const asked = facts({ newSources: [{ ...source, texts: [] }], ...inThisChat });
    expect(reasonsFor(asked)[1]).toBe(
      'Text from files · read is in this chat, and no answer of yours about this tool came after it.',
    );
    expect(reasonsFor({ ...asked, grant: 'none', userReadsOnly: true })).toHaveLength(2);
  });
  test('A4: a tool of the app says what is risky, and has no claims to tell of', () => {
    const risky = facts({ builtIn: { kind: 'write', risky: true } });
    expect(reasonsFor(risky)).toEqual([
      'The model asks to run this tool.',
      'What it would do here is hard to undo, or touches what is protected.',
    ]);
    expect(reasonsFor({ ...risky, builtIn: { kind: 'write', risky: false } })).toEqual(['The model asks to run this tool.']);
  });
  test('R4: a refusal says what to look at', () => {
    expect(reasonsFor(facts({ reviewed: false }))).toEqual(['This tool is not reviewed, or changed since you reviewed it.']);
  });
});

describe('describeClaims', () => {
  const table: [claims: ToolClaims, first: string][] = [
    [{}, 'The server does not say whether this tool changes things.'],
    [{ readOnly: true }, 'The server says this tool only reads. Nothing here has checked that.'],
    [{ readOnly: true, destructive: false }, 'The server says this tool only reads. Nothing here has checked that.'],
    [{ destructive: true }, 'The server says this tool can delete or overwrite things.'],
    [{ readOnly: false, destructive: true }, 'The server says this tool can delete or overwrite things.'],
    [
      { readOnly: true, destructive: true },
      'The server contradicts itself: it says this tool only reads, and also that it can destroy. It is treated as destructive.',
    ],
    [{ readOnly: false }, 'The server says this tool changes things.'],
    [{ readOnly: false, destructive: false }, 'The server says this tool changes things, but only by adding.'],
    [{ destructive: false }, 'The server says this tool deletes nothing. It does not say whether it changes things.'],
  ];
  test.each(table)('A3: %j reads as the server’s word', (claims, first) => {
    expect(describeClaims(claims)).toEqual([first]);
    expect(describeClaims({ ...claims, openWorld: true })).toEqual([
      first,
      'The server says this tool reaches out to other systems.',
    ]);
    expect(describeClaims({ ...claims, openWorld: false, idempotent: true })).toEqual([first]);
  });
});
