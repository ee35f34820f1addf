import { expect, test } from 'vitest';
import type { AnswerQuestion, QuestionReply } from '../../src-main/sessions/mcp-session-questions';
import { readQuestion } from '../../src-shared/approvals/question-rule';
import { initialDraft, readForm } from '../../src-shared/tools/form-reading';
import { planForm } from '../../src-shared/tools/schema-form';
import { checkAnswer } from '../../src-shared/approvals/question-answer';
import { startEverything } from '../support/everything-server';
import { callOf, openHttpSession, startFixture } from '../support/scripted-server';

const textOf = (raw: unknown): string => (raw as { content: { text: string }[] }).content.map(({ text }) => text).join('\n');

async function connect(url: string) {
  const opened = await openHttpSession(url, { parts: { answersQuestions: true } });
  if (!opened.ok) throw new Error(opened.problem.message);
  return opened.value;
}

/** Answers with what is prefilled, and some fields more. */
const filling =
  (more: object): AnswerQuestion =>
  async ({ params }) => {
    const question = readQuestion(params, { name: 'Peer', leaves: false });
    if (!question.ok || question.value.kind !== 'form') throw new Error('not a form');
    const plan = planForm(question.value.schema);
    const read = readForm(plan, { ...initialDraft(plan), ...more });
    const checked = read.ok ? checkAnswer(question.value.schema, read.value) : read;
    if (!checked.ok) throw new Error(JSON.stringify(checked.problem));
    return { action: 'accept', content: checked.value as Extract<QuestionReply, { action: 'accept' }>['content'] & object };
  };

test('W8: the reference server’s form is filled with its own defaults and is accepted by it', async () => {
  const session = await connect(await startEverything('streamableHttp'));
  const listed = await session.listTools();
  const names = listed.ok ? listed.value.tools.map(({ rawName }) => rawName) : [];
  expect(names).toEqual(expect.arrayContaining(['trigger-elicitation-request', 'trigger-url-elicitation']));
  const called = await session.callTool({
    ...callOf('trigger-elicitation-request'),
    onQuestion: filling({ name: 'Ada', untitledMultipleSelectEnum: ['1', '3'] }),
  });
  if (!called.ok) throw new Error(called.problem.message);
  const text = textOf(called.raw);
  expect(text).toContain('User provided the requested information');
  const raw = JSON.parse(/Raw result: ([\s\S]*)$/.exec(text)![1]!) as object;
  expect(raw).toEqual({
    action: 'accept',
    content: {
      name: 'Ada',
      firstLine: 'It was a dark and stormy night.',
      integer: 42,
      number: 3.14,
      untitledSingleSelectEnum: 'Monica',
      untitledMultipleSelectEnum: ['Piano', 'Drums'],
      titledSingleSelectEnum: 'hero-1',
      titledMultipleSelectEnum: ['fish-1'],
      legacyTitledEnum: 'pet-1',
    },
  });
  const declined = await session.callTool({
    ...callOf('trigger-elicitation-request'),
    onQuestion: async () => ({ action: 'decline' }),
  });
  expect(declined.ok && textOf(declined.raw)).toContain('declined');
});

test('W8: its address is asked about by request and, as -32042, before the call; the same call is made again', async () => {
  const session = await connect(await startEverything('streamableHttp'));
  for (const errorPath of [false, true]) {
    const asked: { url: unknown; waits: boolean }[] = [];
    const called = await session.callTool({
      ...callOf('trigger-url-elicitation', { url: 'https://bank.example/in', message: 'Sign in', errorPath }),
      onQuestion: async ({ params, returned }) => {
        asked.push({ url: (params as { url: unknown }).url, waits: returned !== null });
        return { action: 'accept' };
      },
    });
    expect(called).toMatchObject({ ok: true });
    expect(asked.at(-1)).toEqual({ url: 'https://bank.example/in', waits: false });
    expect(asked).toHaveLength(errorPath ? 2 : 1);
    if (errorPath) expect(asked[0]!.waits).toBe(true);
  }
});

test('W8: without a window the reference server does not even offer the tools that ask', async () => {
  const opened = await openHttpSession(await startEverything('streamableHttp'));
  const listed = opened.ok ? await opened.value.listTools() : null;
  expect(listed?.ok && listed.value.tools.map(({ rawName }) => rawName).filter((name) => /elicit/.test(name))).toEqual([]);
});

test('W8: a server of the stateless era gets its answers in a second round', async () => {
  const { url } = await startFixture('peers/modern-asks.mjs');
  const session = await connect(url);
  expect(session.era).toBe('modern');
  const booked = await session.callTool({ ...callOf('book'), onQuestion: filling({ city: 'Rome' }) });
  expect(booked.ok && JSON.parse(textOf(booked.raw))).toEqual({
    answers: { trip: { action: 'accept', content: { city: 'Rome' } } },
    state: 'first round',
  });
  const refused = await session.callTool(callOf('book'));
  expect(refused.ok && JSON.parse(textOf(refused.raw))).toMatchObject({ answers: { trip: { action: 'decline' } } });
  const waits: boolean[] = [];
  const signed = await session.callTool({
    ...callOf('sign'),
    onQuestion: async ({ returned }) => {
      waits.push(returned !== null);
      return { action: 'accept' };
    },
  });
  expect(signed.ok && JSON.parse(textOf(signed.raw))).toEqual({ in: { action: 'accept' } });
  expect(waits).toEqual([true]);
});
