/** The middle of a list of numbers. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Median, smallest and largest, as they stand in a figure. */
export function spread(values) {
  return {
    value: round(median(values)),
    range: [round(Math.min(...values)), round(Math.max(...values))],
    samples: values.length,
  };
}

/** Ratios of pairs that were measured next to each other. */
export function ratios(values, floors) {
  return values.map((value, index) => value / floors[index]);
}

/** Prints one figure. `met` says whether it keeps its target; a miss is a figure like any other. */
export function report(figure) {
  process.stdout.write(`${JSON.stringify(figure)}\n`);
}

/** Prints a figure beside its floor. The target, where there is one, is for the ratio. */
export function reportBeside(name, unit, values, floors, { target, note, atLeast = false } = {}) {
  const ratio = spread(ratios(values, floors));
  report({
    figure: name,
    ...spread(values),
    unit,
    ratio: ratio.value,
    ratioRange: ratio.range,
    floor: round(median(floors)),
    ...(target === undefined
      ? {}
      : { target: `${atLeast ? '>=' : '<='} ${target}x`, met: atLeast ? ratio.value >= target : ratio.value <= target }),
    ...(note === undefined ? {} : { note }),
  });
}

export function round(value) {
  return Number(value.toPrecision(4));
}
