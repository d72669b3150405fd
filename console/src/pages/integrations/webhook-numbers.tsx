import Skeleton from '@cloudscape-design/components/skeleton';
import type { ReactNode } from 'react';
import { nameIn } from '../../api/paths.ts';
import { useStatistics } from '../../api/reads.ts';
import type { Integration, Statistics } from '../../api/resources.ts';
import { distanceInWords, exactInstant } from '../../shared/instant-words.ts';
import { SparkChart } from '../../shared/spark-chart.tsx';
import { lastFailedPeriod, totalOf } from '../../shared/spark-line.ts';

/** A cell of the table that is of a webhook's statistics. */
const FromStatistics = ({
  id,
  children,
}: {
  id: string;
  children: (statistics: Statistics) => ReactNode;
}) => {
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
    {({ hours }) => {
      const { delivered, failed } = totalOf(hours);
      return (
        <div className="last-day">
          <SparkChart hours={hours} />
          <div className="counts">
            {delivered.toLocaleString()} delivered
            {failed > 0 && <span className="failed">{failed.toLocaleString()} failed</span>}
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

/** Of a failed webhook the latest attempt, else the latest hour or day with a failed attempt. */
export const LastFailure = ({ integration: { id, failure } }: { integration: Integration }) => {
  if (failure) return <Ago at={failure.lastAttemptAt} />;
  return (
    <FromStatistics id={nameIn(id)}>
      {({ hours, days }) => {
        const period = lastFailedPeriod(hours, days);
        if (period === undefined) return 'Not in 30 days';
        return <Ago at={period.start} isDay={period.unit === 'day'} />;
      }}
    </FromStatistics>
  );
};

/** How long ago, whatever the zone of the reader; hovering tells the exact instant. */
const Ago = ({ at, isDay = false }: { at: string; isDay?: boolean }) => (
  <time
    className="nowrap"
    dateTime={at}
    title={isDay ? `On ${at.slice(0, 10)} (UTC)` : exactInstant(at)}
  >
    {distanceInWords(at, new Date())}
  </time>
);
