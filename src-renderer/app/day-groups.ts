import { daysBetween, monthAndYear } from '../ui/format';

export interface DayGroup<T> {
  label: string;
  items: T[];
}

/** The heading a moment stands under in the list of chats. */
export function dayLabel(at: number, now: number): string {
  const days = daysBetween(at, now);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  if (days <= 7) return 'Last 7 days';
  return monthAndYear(at);
}

/** Newest first, under one heading a day, week or month. */
export function groupByDay<T extends { updatedAt: number }>(items: readonly T[], now: number): DayGroup<T>[] {
  const groups: DayGroup<T>[] = [];
  for (const item of [...items].sort((a, b) => b.updatedAt - a.updatedAt)) {
    const label = dayLabel(item.updatedAt, now);
    const last = groups.at(-1);
    if (last?.label === label) last.items.push(item);
    else groups.push({ label, items: [item] });
  }
  return groups;
}

/** True when every word of `wanted` stands somewhere in `text`. */
export function matchesWords(text: string, wanted: string): boolean {
  const hay = text.toLocaleLowerCase();
  return wanted
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word));
}
