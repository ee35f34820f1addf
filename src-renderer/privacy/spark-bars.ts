export interface SparkBar {
  x: number;
  y: number;
  height: number;
  none: boolean;
}

export const SPARK_HEIGHT = 20;
export const BAR_WIDTH = 3;
const STEP = 4;
const LOWEST = 2;
const HIGHEST = 18;

export const sparkWidth = (days: number): number => Math.max(0, days * STEP - (STEP - BAR_WIDTH));

/** One bar a day, oldest first. A day with anything at all is higher than a day with nothing. */
export function barsOf(days: readonly number[]): SparkBar[] {
  const most = Math.max(0, ...days);
  return days.map((bytes, day) => {
    const none = bytes <= 0;
    const height = none ? 1 : Math.max(LOWEST, Math.round((bytes / most) * HIGHEST));
    return { x: day * STEP, y: SPARK_HEIGHT - height, height, none };
  });
}
