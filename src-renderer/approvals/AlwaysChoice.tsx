import { describeClaims } from '../../src-shared/approvals/approval-rule';
import type { ToolApproval } from '../../src-shared/approvals/approval.schema';
import type { CallerKind } from '../../src-shared/tools/tool.schema';
import { lastsWords } from '../grants/grant-words';
import { useView } from '../host/mirror-store';
import { AllowButton } from './AllowButton';
import styles from './AlwaysChoice.module.css';
import type { AllowProps } from './use-arming';

const WHOSE_CALLS: Record<CallerKind, string> = {
  model: 'It covers this one tool when a model asks for it, in every chat.',
  you: 'It covers this one tool when you run it by hand, in every chat.',
  'command-line': 'It covers this one tool when a program in your shell asks for it.',
};

interface AlwaysChoiceProps {
  id: string;
  request: ToolApproval;
  armed: boolean;
  allow: AllowProps;
}

/** The answer that lasts. It stands behind what the server says, or does not say, of its tool (A3). */
export function AlwaysChoice({ id, request, armed, allow }: AlwaysChoiceProps) {
  const keychain = useView('shell', (shell) => shell.keychain);
  return (
    <section className={styles.always} id={id} aria-label="Always">
      <p>{describeClaims(request.claims).join(' ')}</p>
      <p>
        {WHOSE_CALLS[request.caller]} It ends when the tool changes, or what its server runs or contacts. Take it back in
        Settings, Grants.
        {lastsWords(keychain)}
      </p>
      <AllowButton armed={armed} allow={allow}>
        Always for this tool
      </AllowButton>
    </section>
  );
}
