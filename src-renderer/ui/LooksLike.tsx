import type { ServerAbout } from '../../src-shared/servers/server-about.schema';
import { Note } from './Note';

/** Says whose name a name looks like (N7). */
export function LooksLike({ marks }: { marks: ServerAbout['looksLike'] | undefined }) {
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
