const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** Bytes with a unit, two meaningful digits: `412 B`, `1.2 kB`, `48 MB`. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 999.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1000;
    unit += 1;
  }
  const digits = unit > 0 && value < 9.95 ? value.toFixed(1) : String(Math.round(value));
  return `${digits} ${BYTE_UNITS[unit] ?? 'B'}`;
}

/** A span of time a person would say: `0.1 s`, `12 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 9_950) return `${(Math.max(ms, ms > 0 ? 100 : 0) / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  const rest = seconds % 60;
  return rest === 0 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 60)} min ${rest} s`;
}

const two = (value: number): string => String(value).padStart(2, '0');

/** Hours and minutes on this computer's clock. */
export function formatClock(at: number): string {
  const date = new Date(at);
  return `${two(date.getHours())}:${two(date.getMinutes())}`;
}

export function formatClockWithSeconds(at: number): string {
  return `${formatClock(at)}:${two(new Date(at).getSeconds())}`;
}

const MONTHS = 'January February March April May June July August September October November December'.split(' ');

const startOfDay = (at: number): number => new Date(at).setHours(0, 0, 0, 0);

/** Whole days on the calendar between two moments; a day with a clock change still counts as one. */
export function daysBetween(earlier: number, later: number): number {
  return Math.round((startOfDay(later) - startOfDay(earlier)) / 86_400_000);
}

/** `today, 14:03`, `yesterday, 09:12`, `25 August`, `3 March 2025`. */
export function formatMoment(at: number, now: number): string {
  const days = daysBetween(at, now);
  if (days === 0) return `today, ${formatClock(at)}`;
  if (days === 1) return `yesterday, ${formatClock(at)}`;
  return formatDate(at, now);
}

export function formatDate(at: number, now: number): string {
  const date = new Date(at);
  const day = `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''}`;
  return date.getFullYear() === new Date(now).getFullYear() ? day : `${day} ${date.getFullYear()}`;
}

/** `3 September 2026, 13:58`. */
export function formatDateAndClock(at: number): string {
  const date = new Date(at);
  return `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''} ${date.getFullYear()}, ${formatClock(at)}`;
}

/** `1 tool`, `14 tools`: the word follows the number. */
export function countOf(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

export function monthAndYear(at: number): string {
  const date = new Date(at);
  return `${MONTHS[date.getMonth()] ?? ''} ${date.getFullYear()}`;
}
