import spark from '../ui/Spark.module.css';
import { classNames } from '../ui/class-names';
import styles from './Privacy.module.css';
import { BAR_WIDTH, barsOf, SPARK_HEIGHT, sparkWidth } from './spark-bars';

/** Bytes a day as bars. What they add up to stands beside them in words, and is read out instead of them. */
export function Spark({ days, leaves, label }: { days: readonly number[]; leaves: boolean; label: string }) {
  return (
    <svg
      className={classNames(spark.spark, leaves ? spark.sparkLeave : spark.sparkStay, styles.spark)}
      viewBox={`0 0 ${sparkWidth(days.length)} ${SPARK_HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={label}
    >
      {barsOf(days).map(({ x, y, height, none }) => (
        <rect key={x} x={x} y={y} width={BAR_WIDTH} height={height} className={none ? spark.sparkNone : undefined} />
      ))}
    </svg>
  );
}
