import { useEffect, useState } from 'react';
import { visibleToString } from '../../src-shared/base/visible-text';
import type { MirrorState } from '../host/mirror-store';
import { useMirror } from '../host/mirror-store';
import { newlySaid } from './announcements';

/** Says once, for screen readers, that something waits and that an answer is finished. */
export function Announcer() {
  const [words, setWords] = useState('');
  useEffect(
    () =>
      useMirror.subscribe((now: MirrorState, before: MirrorState) => {
        const said = newlySaid(before.views, now.views, visibleToString);
        if (said) setWords(said);
      }),
    [],
  );
  return (
    <p role="status" aria-live="polite">
      {words}
    </p>
  );
}
