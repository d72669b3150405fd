import type { AttemptCounts } from '../api/resources.ts';
import { sparkBars, totalOf } from './spark-line.ts';

const HEIGHT = 24;
const BAR = 4;
const GAP = 1;

/** The attempts of the last hours at a glance. */
export const SparkChart = ({ hours }: { hours: readonly AttemptCounts[] }) => {
  const { delivered, failed } = totalOf(hours);
  return (
    <svg
      className="spark"
      width={hours.length * (BAR + GAP)}
      height={HEIGHT}
      role="img"
      aria-label={`Attempts of the last ${hours.length} hours: ${delivered} delivered, ${failed} failed`}
    >
      {sparkBars(hours, HEIGHT).map((bar, index) => (
        <g key={bar.start}>
          <rect
            className="spark-ground"
            x={index * (BAR + GAP)}
            y={HEIGHT - 1}
            width={BAR}
            height={1}
          />
          <rect
            className="spark-delivered"
            x={index * (BAR + GAP)}
            width={BAR}
            {...bar.delivered}
          />
          <rect className="spark-failed" x={index * (BAR + GAP)} width={BAR} {...bar.failed} />
        </g>
      ))}
    </svg>
  );
};
