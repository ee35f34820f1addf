import type { ReactElement } from 'react';
import styles from './Icon.module.css';

// Original drawings on a 16 px grid. The first five are the language of the gate and stand for nothing else.
const SHAPES = {
  house: <path d="M1.75 7.5 8 2.25l6.25 5.25M3.5 6.25v7.5h9v-7.5M6.5 13.75v-3.5h3v3.5" />,
  leave: <path d="M6.75 3.25h-3a1 1 0 0 0-1 1v8a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1v-3M7.5 8.5l5.75-5.75M9.5 2.75h3.75V6.5" />,
  'gate-up': <path d="M2.75 14V7a5.25 5.25 0 0 1 10.5 0v7M6.1 2.25V7.5M9.9 2.25V7.5M3.25 5.25h9.5" />,
  'gate-down': <path d="M2.75 14V7a5.25 5.25 0 0 1 10.5 0v7M6.1 2.25V14M9.9 2.25V14M3 6.5h10M2.75 10.5h10.5" />,
  dot: <circle cx="8" cy="8" r="3.25" />,
  lock: (
    <>
      <rect x="3" y="7.25" width="10" height="6.5" rx="1.5" />
      <path d="M5.25 7.25V5a2.75 2.75 0 0 1 5.5 0v2.25" />
    </>
  ),
  key: (
    <>
      <circle cx="5" cy="11" r="2.75" />
      <path d="M7 9l6.25-6.25M10.75 5.25l2 2" />
    </>
  ),
  terminal: (
    <>
      <rect x="1.75" y="2.75" width="12.5" height="10.5" rx="1.5" />
      <path d="M4.5 5.75 6.75 8 4.5 10.25M8.5 10.25h3" />
    </>
  ),
  globe: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M1.75 8h12.5M8 1.75c2 1.9 2.75 4 2.75 6.25S10 12.35 8 14.25C6 12.35 5.25 10.25 5.25 8S6 3.65 8 1.75z" />
    </>
  ),
  folder: <path d="M1.75 12.25v-8.5a1 1 0 0 1 1-1h3.5l1.75 2h5.25a1 1 0 0 1 1 1v6.5a1 1 0 0 1-1 1H2.75a1 1 0 0 1-1-1z" />,
  chat: <path d="M2.75 2.75h10.5a1 1 0 0 1 1 1v6.5a1 1 0 0 1-1 1H7.5L4.25 14v-2.75h-1.5a1 1 0 0 1-1-1v-6.5a1 1 0 0 1 1-1z" />,
  gear: (
    <>
      <path d="M6.89 3.38L7.07 1.82L8.93 1.82L9.11 3.38L10.48 3.95L11.71 2.97L13.03 4.29L12.05 5.52L12.62 6.89L14.18 7.07L14.18 8.93L12.62 9.11L12.05 10.48L13.03 11.71L11.71 13.03L10.48 12.05L9.11 12.62L8.93 14.18L7.07 14.18L6.89 12.62L5.52 12.05L4.29 13.03L2.97 11.71L3.95 10.48L3.38 9.11L1.82 8.93L1.82 7.07L3.38 6.89L3.95 5.52L2.97 4.29L4.29 2.97L5.52 3.95z" />
      <circle cx="8" cy="8" r="1.75" />
    </>
  ),
  shield: <path d="M8 1.75l5.25 2v4c0 3.25-2.25 5.5-5.25 6.5-3-1-5.25-3.25-5.25-6.5v-4z" />,
  plug: <path d="M5.5 1.75v3.5M10.5 1.75v3.5M3.75 5.25h8.5v2.5a4.25 4.25 0 0 1-8.5 0zM8 12v2.25" />,
  search: (
    <>
      <circle cx="7" cy="7" r="4.5" />
      <path d="M10.5 10.5l3.25 3.25" />
    </>
  ),
  plus: <path d="M8 3v10M3 8h10" />,
  kebab: (
    <>
      <circle cx="8" cy="3.25" r="1.25" />
      <circle cx="8" cy="8" r="1.25" />
      <circle cx="8" cy="12.75" r="1.25" />
    </>
  ),
  'chevron-right': <path d="M6.25 4l4 4-4 4" />,
  'chevron-left': <path d="M9.75 4l-4 4 4 4" />,
  'chevron-down': <path d="M4 6.25l4 4 4-4" />,
  check: <path d="M3 8.5l3.25 3.25L13 4.75" />,
  close: <path d="M4 4l8 8M12 4l-8 8" />,
  warning: (
    <>
      <path d="M8 2.25l6.25 11H1.75zM8 6.5v3" />
      <path d="M8 11.4v.1" />
    </>
  ),
  clock: (
    <>
      <circle cx="8" cy="8" r="6.25" />
      <path d="M8 4.5V8l2.5 1.5" />
    </>
  ),
  stop: <rect x="3.75" y="3.75" width="8.5" height="8.5" rx="1.5" />,
  copy: (
    <>
      <rect x="5.25" y="5.25" width="8.5" height="8.5" rx="1.5" />
      <path d="M10.75 2.25h-7a1.5 1.5 0 0 0-1.5 1.5v7" />
    </>
  ),
  pencil: <path d="M10.75 2.75l2.5 2.5-7.75 7.75-3 .5.5-3z" />,
  send: <path d="M8 13V3M3.75 7.25L8 3l4.25 4.25" />,
} as const satisfies Record<string, ReactElement>;

export type IconName = keyof typeof SHAPES;

const POINTING: ReadonlySet<IconName> = new Set(['leave', 'chevron-right', 'chevron-left']);

/** A drawing without words of its own: the words stand beside it, or on the button around it. */
export function Icon({ name, large = false }: { name: IconName; large?: boolean }) {
  const filled = name === 'kebab';
  return (
    <svg
      viewBox="0 0 16 16"
      className={large ? styles.large : styles.icon}
      fill={filled ? 'currentColor' : 'none'}
      stroke={filled ? 'none' : 'currentColor'}
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      data-turns={POINTING.has(name) ? '' : undefined}
    >
      {SHAPES[name]}
    </svg>
  );
}
