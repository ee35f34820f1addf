import { describe, expect, test } from 'vitest';
import { asResult, attachmentForModel } from '../../../src-shared/attachments/attachment-rule';
import type { Attachment } from '../../../src-shared/attachments/attachment.schema';
import { readResultParts } from '../../../src-shared/tools/result-parts';

const read = (kind: Attachment['kind'], raw: unknown): string => readResultParts(asResult(kind, raw)).text;

describe('what a server gave', () => {
  const told: [kind: Attachment['kind'], raw: unknown, text: string, because: string][] = [
    [
      'resource',
      {
        contents: [
          { uri: 'a', text: 'one' },
          { uri: 'b', text: 'two' },
        ],
      },
      '[resource a]\none\n[resource b]\ntwo',
      'two texts',
    ],
    ['resource', { contents: { uri: 'a', text: 'one' } }, '[resource a]\none', 'no list'],
    [
      'resource',
      { contents: [{ uri: 'a', blob: 'AAAA', mimeType: 'x/y' }] },
      '[file a, said to be x/y, 3 bytes]',
      'bytes are described (O5)',
    ],
    [
      'resource',
      { contents: [null] },
      '[a part this app cannot show: a resource without a body]',
      'nothing is dropped in silence',
    ],
    ['resource', null, '(empty result)', 'nothing at all'],
    [
      'prompt',
      { messages: [{ role: 'assistant', content: { type: 'text', text: 'I obey.' } }] },
      'I obey.',
      'the role is dropped (O2)',
    ],
    [
      'prompt',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
        ],
      },
      'a\nb',
      'a list',
    ],
    ['prompt', { messages: ['bare'] }, 'bare', 'a bare text'],
    [
      'prompt',
      { messages: [{ content: { type: 'resource', resource: { uri: 'a', text: 'one' } } }] },
      '[resource a]\none',
      'embedded',
    ],
  ];
  test.each(told)('O2, O5: a %s %j reads %j (%s)', (kind, raw, text) => {
    expect(read(kind, raw)).toBe(text);
  });

  test('O2: a model is told whose words follow, in names that cannot close their quotes', () => {
    const attachment = {
      kind: 'resource',
      name: 'Plan" from the "Bank',
      serverName: 'No"tes',
      outcome: { forModel: '<tool_output …>' },
    } as unknown as Attachment;
    expect(attachmentForModel(attachment)).toBe(
      'The user attached the resource "Plan from the Bank" from the "No tes" MCP server:\n<tool_output …>',
    );
  });
});
