import { describe, expect, test } from 'vitest';
import {
  type ApprovalDecision,
  type ApprovalOffer,
  decideApproval,
  offersFor,
  reasonsFor,
  type ToolCallFacts,
} from '../../../src-shared/approvals/approval-rule';
import type { FlowSource } from '../../../src-shared/approvals/flow-rule';

// One row for every combination of what the rule can know of a call.
const CALLERS = ['model', 'you', 'command-line'] as const;
const GRANTS = ['none', 'this-chat', 'always'] as const;
const HINTS = ['silent', 'yes', 'no'] as const;
const NEW_SOURCES = [0, 1, 2] as const;
const BUILT_INS = ['quiet', 'workspace-read', 'write', 'command', 'code'] as const;
const YES_NO = [true, false] as const;

interface Row {
  reviewed: boolean;
  caller: (typeof CALLERS)[number];
  grant: (typeof GRANTS)[number];
  /** What its server says of it. Yes to both is the contradiction. */
  saysReadOnly: (typeof HINTS)[number];
  saysDestructive: (typeof HINTS)[number];
  newSources: (typeof NEW_SOURCES)[number];
  holdsSecret: boolean;
  markedByUser: boolean;
  autopilot: boolean;
  tool: 'of a server' | (typeof BUILT_INS)[number];
  /** Of a built-in: it destroys, its command is flagged, or a protected path is touched. */
  risky: boolean;
}

const TOOLS = [
  { tool: 'of a server' as const, risky: false },
  ...BUILT_INS.flatMap((tool) => YES_NO.map((risky) => ({ tool, risky }))),
];

function* everyRow(): Generator<Row> {
  for (const reviewed of YES_NO)
    for (const caller of CALLERS)
      for (const grant of GRANTS)
        for (const saysReadOnly of HINTS)
          for (const saysDestructive of HINTS)
            for (const newSources of NEW_SOURCES)
              for (const holdsSecret of YES_NO)
                for (const markedByUser of YES_NO)
                  for (const autopilot of YES_NO)
                    for (const tool of TOOLS) {
                      const hints = { saysReadOnly, saysDestructive };
                      const chat = { newSources, holdsSecret, markedByUser, autopilot };
                      yield { reviewed, caller, grant, ...hints, ...chat, ...tool };
                    }
}

const rows = [...everyRow()];

const source = (nth: number): FlowSource => ({
  id: `entry-${nth}`,
  kind: 'result',
  tool: { serverId: 'files' as never, rawName: `read_${nth}` },
  serverName: 'files',
  name: `read_${nth}`,
  texts: ['words'],
});

const claim = (hint: Row['saysReadOnly']): boolean | undefined => (hint === 'silent' ? undefined : hint === 'yes');

function factsOf(row: Row): ToolCallFacts {
  const readOnly = claim(row.saysReadOnly);
  const destructive = claim(row.saysDestructive);
  return {
    reviewed: row.reviewed,
    claims: { ...(readOnly !== undefined && { readOnly }), ...(destructive !== undefined && { destructive }) },
    grant: row.grant,
    caller: row.caller,
    holdsKey: row.holdsSecret,
    newSources: Array.from({ length: row.newSources }, (_, nth) => source(nth)),
    userReadsOnly: row.markedByUser,
    autopilot: row.autopilot,
    ...(row.tool !== 'of a server' && { builtIn: { kind: row.tool, risky: row.risky } }),
  };
}

// The rules as they are written for people, each with the rows it speaks of and the decisions it leaves open.
const ofServer = (row: Row): boolean => row.tool === 'of a server';
const ownButQuiet = (row: Row): boolean => !ofServer(row) && row.tool !== 'quiet';
const ownThatActs = (row: Row): boolean => row.tool === 'write' || row.tool === 'command' || row.tool === 'code';
const destroys = (row: Row): boolean => ofServer(row) && row.saysDestructive === 'yes';
const heldByFlow = (row: Row): boolean => row.newSources > 0 && !row.markedByUser;
const inAutopilot = (row: Row): boolean => row.autopilot && row.caller !== 'command-line';
const granted = (row: Row): boolean => row.grant !== 'none';
const plain = (row: Row): boolean => !row.holdsSecret && !heldByFlow(row);

const EVERY: readonly ApprovalDecision[] = ['run', 'ask', 'ask-harder', 'refuse'];
const allBut = (...not: ApprovalDecision[]): ApprovalDecision[] => EVERY.filter((decision) => !not.includes(decision));

const SENTENCES: [sentence: string, of: (row: Row) => boolean, leaves: ApprovalDecision[]][] = [
  ['R1, R4: what nobody reviewed is refused, and nobody is asked about it', (row) => !row.reviewed, ['refuse']],
  ['A1: what was reviewed is for a person to answer, and never refused by the rule', (row) => row.reviewed, allBut('refuse')],
  ['A3: a tool its server calls destructive asks for the stronger act, granted or not', destroys, allBut('run', 'ask')],
  ['A3: the stronger act is for what a server calls destructive', (row) => !destroys(row), allBut('ask-harder')],
  ['A1: a tool of a server asks unless that tool is granted', (row) => ofServer(row) && !granted(row), allBut('run')],
  ['A6: text of others that is new asks again, even if granted', (row) => ofServer(row) && heldByFlow(row), allBut('run')],
  ['A7: a secret in the arguments forces the dialog', (row) => ofServer(row) && row.holdsSecret, allBut('run')],
  [
    'A1: a granted tool of a server runs when nothing of the above speaks against it',
    (row) => ofServer(row) && granted(row) && plain(row) && !destroys(row),
    ['run', 'refuse'],
  ],
  ['G5: a quiet tool of the app asks nothing', (row) => row.tool === 'quiet', ['run', 'refuse']],
  ['A4, G8: what destroys, is flagged or is protected still asks', (row) => ownButQuiet(row) && row.risky, allBut('run')],
  ['A7: a secret forces the dialog for the tools of the app too', (row) => ownButQuiet(row) && row.holdsSecret, allBut('run')],
  [
    'G5, A6: a tool of the app that reads the workspace runs, whatever text is in the chat',
    (row) => row.tool === 'workspace-read' && !row.risky && !row.holdsSecret,
    ['run', 'refuse'],
  ],
  ['A6: the flow gate holds under autopilot', (row) => ownThatActs(row) && heldByFlow(row), allBut('run')],
  [
    'G5: a tool of the app that writes or runs something asks, without autopilot and without a grant',
    (row) => ownThatActs(row) && !inAutopilot(row) && !granted(row),
    allBut('run'),
  ],
  [
    'A4: autopilot and a grant skip that question and no other',
    (row) => ownThatActs(row) && (inAutopilot(row) || granted(row)) && !row.risky && plain(row),
    ['run', 'refuse'],
  ],
];

const OFFERS: [sentence: string, offer: ApprovalOffer, of: (row: Row) => boolean][] = [
  ['A1: whatever is asked can be allowed once', 'once', (row) => row.reviewed],
  [
    'A1, A3, A7: a chat can be allowed where there is one, and nothing destroys or gives a secret away',
    'this-chat',
    (row) => row.reviewed && row.caller !== 'command-line' && row.saysDestructive !== 'yes' && !row.holdsSecret && !row.risky,
  ],
  [
    'A1, A3, A7: always is for a tool of a server that is not called destructive, without a secret',
    'always',
    (row) => row.reviewed && ofServer(row) && row.saysDestructive !== 'yes' && !row.holdsSecret,
  ],
];

/** The first few rows that break a sentence, so that a failure is read at once. */
function breaking(broken: (row: Row) => boolean): Row[] {
  return rows.filter(broken).slice(0, 3);
}

const strictness = (row: Row): number => EVERY.indexOf(decideApproval(factsOf(row)));

describe('the truth table of the approval rule', () => {
  test('it has a row for every combination', () => {
    expect(rows).toHaveLength(2 * 3 * 3 * (3 * 3) * 3 * 2 * 2 * 2 * (1 + 5 * 2));
    expect(rows).toHaveLength(42_768);
    expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBe(rows.length);
  });

  test('the sentences leave exactly one decision open in every row', () => {
    const open = (row: Row): ApprovalDecision[] =>
      EVERY.filter((decision) => SENTENCES.every(([, of, leaves]) => !of(row) || leaves.includes(decision)));
    expect(breaking((row) => open(row).length !== 1)).toEqual([]);
  });

  test.each(SENTENCES)('%s', (_sentence, of, leaves) => {
    expect(rows.some(of), 'it speaks of some row').toBe(true);
    expect(breaking((row) => of(row) && !leaves.includes(decideApproval(factsOf(row))))).toEqual([]);
  });

  test.each(OFFERS)('%s', (_sentence, offer, of) => {
    expect(breaking((row) => of(row) !== offersFor(factsOf(row)).includes(offer))).toEqual([]);
  });

  test('A1: offers come once each, in order of reach', () => {
    const order: ApprovalOffer[] = ['once', 'this-chat', 'always'];
    expect(
      breaking((row) => {
        const offers = offersFor(factsOf(row));
        return JSON.stringify(offers) !== JSON.stringify(order.filter((offer) => offers.includes(offer)));
      }),
    ).toEqual([]);
  });

  test('A3: no hint of a server ever loosens what stands without it', () => {
    const silent = (row: Row): Row => ({ ...row, saysReadOnly: 'silent', saysDestructive: 'silent' });
    expect(breaking((row) => strictness(row) < strictness(silent(row)))).toEqual([]);
    expect(breaking((row) => offersFor(factsOf(row)).some((offer) => !offersFor(factsOf(silent(row))).includes(offer)))).toEqual(
      [],
    );
  });

  test('A4: autopilot changes nothing about a tool of a server', () => {
    expect(
      breaking(
        (row) => ofServer(row) && decideApproval(factsOf(row)) !== decideApproval(factsOf({ ...row, autopilot: !row.autopilot })),
      ),
    ).toEqual([]);
  });

  test('A6: a hint never does what the mark of the user does', () => {
    const asked = (row: Row): boolean => ofServer(row) && row.reviewed && row.newSources > 0 && !row.markedByUser;
    expect(breaking((row) => asked(row) && decideApproval(factsOf(row)) === 'run')).toEqual([]);
  });

  test('A5: what asks says why, and names every source where one holds it; what runs says nothing', () => {
    expect(
      breaking((row) => {
        const reasons = reasonsFor(factsOf(row));
        if (decideApproval(factsOf(row)) === 'run') return reasons.length > 0;
        const names = Array.from({ length: row.newSources }, (_, nth) => `files · read_${nth}`);
        const named = names.every((name) => reasons.some((reason) => reason.includes(name)));
        return reasons.length === 0 || (row.reviewed && heldByFlow(row) && !named);
      }),
    ).toEqual([]);
  });
});
