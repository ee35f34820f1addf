import { isSettings, useNavigation } from '../app/navigation-store';
import { LaunchSheet, QuestionSheet, SignInSheet, ToolSheet } from '../app/screens';
import { useView } from '../host/mirror-store';
import { sheetsInSight } from './visible-approvals';

/** The one sheet that asks now. The next one, and one with changed arguments, is a new element, so that it starts disarmed. */
export function ApprovalLayer() {
  const waiting = useView('approvals', (all) => all);
  const conversation = useNavigation((state) => state.conversation);
  const onChat = useNavigation((state) => !isSettings(state.place));
  const [first, ...behind] = sheetsInSight(waiting, conversation, onChat);
  if (!first) return null;
  const place = { waiting: waiting.length, stacked: behind.length > 0 };
  switch (first.kind) {
    case 'launch':
      return <LaunchSheet key={first.id} request={first} place={place} />;
    case 'tool-call':
      return <ToolSheet key={`${first.id} ${first.nonce}`} request={first} place={place} />;
    case 'question':
      return <QuestionSheet key={first.id} request={first} place={place} />;
    case 'sign-in':
      return <SignInSheet key={first.id} request={first} place={place} />;
  }
}
