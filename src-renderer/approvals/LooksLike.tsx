import type { ApprovalRequest } from '../../src-shared/approvals/approval.schema';
import { Note } from '../ui/Note';

/** Says whose name a name looks like (N7). */
export function LooksLike({ marks }: { marks: ApprovalRequest['looksLike'] }) {
  if (!marks || marks.length === 0) return null;
  return (
    <Note role="leave">
      {marks.map(({ name, words }) => (
        <p key={name + words}>
          “<bdi>{name}</bdi>” {words}.
        </p>
      ))}
    </Note>
  );
}
