import { useShallow } from 'zustand/shallow';
import { useView } from '../host/mirror-store';
import { Note } from '../ui/Note';
import styles from './Shell.module.css';

/** Sentences of main that stay in sight until their reason is gone (S4, S5). */
export function Banners() {
  const banners = useView(
    'shell',
    useShallow((shell) => shell.banners),
  );
  if (banners.length === 0) return <div />;
  return (
    <div className={styles.banners} role="status" aria-label="Notices">
      {banners.map((banner) => (
        <Note key={banner} role="leave">
          {banner}
        </Note>
      ))}
    </div>
  );
}
