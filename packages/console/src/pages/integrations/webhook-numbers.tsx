import { Skeleton } from '@cloudscape-design/components';
import type { ReactNode } from 'react';
import { nameIn } from '../../api/paths.ts';
import { useStatistics } from '../../api/reads.ts';
import type { AttemptCounts, Integration, Statistics } from '../../api/resources.ts';
import { distanceInWords, exactInstant, hoursAgoInWords } from '../../shared/instant-words.ts';
import { failedOf, lastFailedPeriod, sparkBars } from './spark-line.ts';

interface CellProps {
  readonly id: string;
  readonly children: (statistics: Statistics) => ReactNode;
}

const FromStatistics = ({ id, children }: CellProps) => {
  const { data, isError } = useStatistics(id);
  if (data !== undefined) return children(data);
  return isError ? (
    <span title="The statistics could not be read">–</span>
  ) : (
    <Skeleton width="60%" />
  );
};

export const LastDay = ({ id }: { id: string }) => (
  <FromStatistics id={id}>
    {({ hours, last24Hours }) => {
      const failed = failedOf(last24Hours);
      return (
        <div className="last-day">
          <SparkChart hours={hours} />
          <div className="counts">
            {counted(last24Hours.deliveredEvents, 'event')} delivered
            {failed > 0 && <div className="failed">{counted(failed, 'attempt')} failed</div>}
          </div>
        </div>
      );
    }}
  </FromStatistics>
);

export const Waiting = ({ id }: { id: string }) => (
  <FromStatistics id={id}>
    {({ pendingEvents, pendingEventsIsMore, setAsideEvents }) => (
      <>
        {pendingEvents.toLocaleString()}
        {pendingEventsIsMore && ' and more'}
        {setAsideEvents > 0 && (
          <div className="counts">{setAsideEvents.toLocaleString()} set aside</div>
        )}
      </>
    )}
  </FromStatistics>
);

/** The latest attempt of a failed webhook, or the latest hour or day with a failed attempt. */
export const LastFailure = ({ integration: { id, failure } }: { integration: Integration }) => {
  if (failure) return <Ago at={failure.lastAttemptAt} />;
  return (
    <FromStatistics id={nameIn(id)}>
      {({ hours, days }) => {
        const period = lastFailedPeriod(hours, days);
        if (period === undefined) return 'Not in 30 days';
        return <Ago at={period.start} unit={period.unit} />;
      }}
    </FromStatistics>
  );
};

/** How long ago, in any time zone. The tooltip says when, or in which hour or on which day. */
const Ago = ({ at, unit }: { at: string; unit?: 'hour' | 'day' }) => (
  <time dateTime={at} title={whenInWords(at, unit)}>
    {unit === 'hour' ? hoursAgoInWords(at, new Date()) : distanceInWords(at, new Date())}
  </time>
);

const whenInWords = (at: string, unit: 'hour' | 'day' | undefined): string => {
  if (unit === 'day') return `On ${at.slice(0, 10)} (UTC)`;
  return unit === 'hour' ? `In the hour from ${exactInstant(at)} on` : exactInstant(at);
};

const HEIGHT = 24;
const BAR = 4;
const GAP = 1;

/** The numbers beside it are its text. */
const SparkChart = ({ hours }: { hours: readonly AttemptCounts[] }) => (
  <svg className="spark" width={hours.length * (BAR + GAP)} height={HEIGHT} aria-hidden="true">
    {sparkBars(hours, HEIGHT).map((bar, index) => {
      const place = { x: index * (BAR + GAP), width: BAR };
      return (
        <g key={bar.start}>
          <rect className="spark-ground" {...place} y={HEIGHT - 1} height={1} />
          <rect className="spark-delivered" {...place} {...bar.delivered} />
          <rect className="spark-failed" {...place} {...bar.failed} />
        </g>
      );
    })}
  </svg>
);

const counted = (count: number, what: 'event' | 'attempt'): string =>
  `${count.toLocaleString()} ${count === 1 ? what : `${what}s`}`;
