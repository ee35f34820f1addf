import { describe, expect, test } from 'vitest';
import { ServerLog } from '../../../src-main/sessions/server-log';
import { failedOutcome, treatedOutcome } from '../../../src-main/tools/tool-outcome';
import { readQuestion } from '../../../src-shared/approvals/question-rule';
import { toolForModel } from '../../../src-shared/tools/description-rule';
import { planForm } from '../../../src-shared/tools/schema-form';
import type { JsonObject } from '../../../src-shared/tools/tool.schema';

/** An escape sequence, bidi, zero-width and tag characters around words that must arrive. */
const CANARY = 'can\u001b[31m\u202e\u2066\u200b\u{e0068}\u{e0069}\u0007ary';
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e0fff}]/u;

const context = { serverName: 'Notes', toolName: CANARY };
const treatment = { id: 'a1', mask: (text: string) => text };
const answered = (raw: unknown) => treatedOutcome(context, raw, treatment, () => undefined);
const block = (content: object) => answered({ content: [content] });
const property: JsonObject = { type: 'string', title: CANARY, description: CANARY, enum: [CANARY, 'b'], default: CANARY };
const inputSchema: JsonObject = {
  type: 'object',
  title: CANARY,
  properties: { name: property },
  anyOf: [{ title: CANARY }, { required: ['name'] }],
};
const offered = (name: string) =>
  toolForModel({
    published: 'notes__a',
    serverName: name,
    definition: { rawName: 'a', description: CANARY, inputSchema, claims: {} },
  });
const logged = (write: (log: ServerLog) => void) => {
  const log = new ServerLog({ now: () => 0, mask: (text) => text });
  write(log);
  return [log.lines()];
};
const question = readQuestion(
  {
    message: CANARY,
    requestedSchema: { type: 'object', properties: { city: { type: 'string', title: CANARY, description: CANARY } } },
  },
  { name: 'Notes', leaves: false },
);

describe('every place where words of a server show', () => {
  test.each<[place: string, shown: unknown]>([
    ['a description and schema texts, labels and defaults', offered('Notes')],
    ['a server name', offered(CANARY)],
    ['the fields of a form', planForm(inputSchema).fields],
    ['a result text', block({ type: 'text', text: CANARY })],
    ['structured content', answered({ structuredContent: { [CANARY]: CANARY } })],
    ['the name and address of a link', block({ type: 'resource_link', uri: CANARY, name: CANARY })],
    ['the address of a resource', block({ type: 'resource', resource: { uri: CANARY, text: CANARY } })],
    ['the type of a file', block({ type: 'resource', resource: { uri: CANARY, mimeType: CANARY, blob: 'AAAA' } })],
    ['the type of a picture', block({ type: 'image', mimeType: CANARY, data: 'AAAA' })],
    ['a block nobody knows', block({ type: CANARY })],
    ['a result that says it failed', answered({ isError: true, content: [{ type: 'text', text: CANARY }] })],
    ['an error', failedOutcome(context, { kind: 'failed', message: CANARY, said: CANARY } as never, treatment)],
    ['error output', logged((log) => log.stderr(Buffer.from(`${CANARY}\n`)))],
    ['noise on output', logged((log) => log.noise(CANARY))],
    ['its log over the protocol', logged((log) => log.message({ level: 'info', logger: CANARY, data: CANARY }))],
    ['a question', question.ok ? question.value : question],
  ])('O1: %s', (_place, shown) => {
    const texts: string[] = [];
    const walk = (value: unknown): void => {
      if (typeof value === 'string') texts.push(value);
      else if (typeof value === 'object' && value !== null)
        for (const [name, member] of Object.entries(value)) {
          texts.push(name);
          // Sent back as the server wrote it, and shown by its label.
          if (name !== 'value' && name !== 'initial') walk(member);
        }
    };
    walk(shown);
    expect(texts.filter((text) => UNSEEN.test(text))).toEqual([]);
    expect(texts.join(' ')).toContain('can');
  });
});
