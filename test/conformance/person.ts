import { checkAnswer } from '../../src-shared/approvals/question-answer';
import { readQuestion } from '../../src-shared/approvals/question-rule';
import { initialDraft, readForm } from '../../src-shared/tools/form-reading';
import { planForm } from '../../src-shared/tools/schema-form';
import type { AskedQuestion, QuestionReply } from '../../src-main/sessions/mcp-session-questions';

/** Someone who sees the form as the window shows it, ticks what has to be answered, and sends it as it stands. */
export async function sendAsShown({ params }: AskedQuestion): Promise<QuestionReply> {
  const question = readQuestion(params, { name: 'conformance', leaves: false });
  if (!question.ok || question.value.kind !== 'form') return { action: 'decline' };
  const plan = planForm(question.value.schema);
  const filled = readForm(plan, initialDraft(plan));
  const answer = filled.ok ? checkAnswer(question.value.schema, filled.value) : filled;
  return answer.ok ? { action: 'accept', content: answer.value } : { action: 'decline' };
}
