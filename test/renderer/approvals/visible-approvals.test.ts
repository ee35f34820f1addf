import { expect, test } from 'vitest';
import { sheetsInSight } from '../../../src-renderer/approvals/visible-approvals';
import { launchApproval, questionApproval, sampleIds, toolApproval } from '../sample-views';

const mine = toolApproval({ conversationId: sampleIds.chat });
const other = toolApproval({ conversationId: sampleIds.otherChat });
const nobodys = toolApproval({ conversationId: null });
const launch = launchApproval();
const all = [mine, other, nobodys, launch];

test('A5: a call of another chat waits behind the chip instead of taking the keyboard', () => {
  expect(sheetsInSight(all, sampleIds.chat, true)).toEqual([mine, nobodys, launch]);
});

test('A5: in the settings only launches and calls of no chat show a sheet', () => {
  expect(sheetsInSight(all, sampleIds.chat, false)).toEqual([nobodys, launch]);
});

test('W8: a question shows in the chat whose call it belongs to, and nowhere else', () => {
  const question = questionApproval();
  expect(sheetsInSight([question], sampleIds.chat, true)).toEqual([question]);
  expect(sheetsInSight([question], sampleIds.otherChat, true)).toEqual([]);
  expect(sheetsInSight([question], sampleIds.chat, false)).toEqual([]);
});
