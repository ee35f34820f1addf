import { useEffect, useState, type ComponentType } from 'react';
import { Problem } from '../ui/Note';
import { Skeleton } from '../ui/Skeleton';

/**
 * A part of the window whose code is read when it is first shown. Not React.lazy: a fallback of Suspense stays for 300 ms
 * even when what it stands for was there after 10.
 */
export function later<P extends object>(label: string | null, read: () => Promise<ComponentType<P>>): ComponentType<P> {
  let Ready: ComponentType<P> | null = null;
  return function Later(props: P) {
    const [state, setState] = useState<'reading' | 'ready' | 'failed'>(Ready ? 'ready' : 'reading');
    useEffect(() => {
      if (Ready) return undefined;
      let wanted = true;
      read().then(
        (part) => {
          Ready = part;
          if (wanted) setState('ready');
        },
        () => {
          if (wanted) setState('failed');
        },
      );
      return () => {
        wanted = false;
      };
    }, []);
    if (Ready) return <Ready {...props} />;
    if (state === 'failed') return <Problem text="This part of Portcullis could not be read. Close the app and open it again." />;
    return label === null ? null : <Skeleton label={label} />;
  };
}

/** For parts that make schemas: zod has to know first that the window forbids `new Function`. */
export async function afterZod<P>(read: () => Promise<P>): Promise<P> {
  await import('./zod-without-eval');
  return read();
}
