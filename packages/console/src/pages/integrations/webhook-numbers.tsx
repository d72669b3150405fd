import { nameIn } from '../../api/paths.ts';
import { useStatistics } from '../../api/reads.ts';
import type { AttemptCounts, Integration } from '../../api/resources.ts';
import { distanceInWords, exactInstant, hourInWords } from '../../shared/instant-words.ts';
import { inDigits } from '../../shared/locale.ts';
import { failedOf, sparkBars } from './spark-line.ts';

/** What happened to the events of a webhook in 24 hours, and how many of them wait. */
export const Numbers = ({ integration: { id, failure } }: { integration: Integration }) => {
  const { data, isError } = useStatistics(nameIn(id));
  if (data === undefined) {
    return isError ? 'The statistics could not be read' : <div className="loading-line" />;
  }
  const { hours, last24Hours, pendingEvents, pendingEventsIsMore, setAsideEvents } = data;
  const { deliveredEvents, filteredEvents } = last24Hours;
  const failed = failedOf(last24Hours);
  if (deliveredEvents + filteredEvents + failed + pendingEvents + setAsideEvents === 0) {
    return <NoEvents />;
  }
  const latest = hours.findLast((hour) => failedOf(hour) > 0);
  return (
    <div className="last-day">
      {deliveredEvents + failed > 0 && <SparkChart hours={hours} />}
      <div className="counts">
        {deliveredEvents > 0 ? `${counted(deliveredEvents, 'event')} delivered` : 'None delivered'}
        {latest && (
          <div className="failed">
            {counted(failed, 'attempt')} failed, latest{' '}
            {failure ? (
              <Ago at={failure.lastAttemptAt} />
            ) : (
              <time dateTime={latest.start}>{hourInWords(latest.start)}</time>
            )}
          </div>
        )}
        {pendingEvents > 0 && (
          <div>{`${counted(pendingEvents, 'event')}${pendingEventsIsMore ? ' and more' : ''} waiting`}</div>
        )}
        {filteredEvents > 0 && (
          <div>{counted(filteredEvents, 'event')} kept back by the filter</div>
        )}
        {setAsideEvents > 0 && <div>{counted(setAsideEvents, 'event')} set aside</div>}
      </div>
    </div>
  );
};

const NoEvents = () => (
  <span className="quiet">
    <span aria-hidden="true">–</span>
    <span className="visually-hidden">None delivered</span>
  </span>
);

const Ago = ({ at }: { at: string }) => (
  <time dateTime={at} title={exactInstant(at)}>
    {distanceInWords(at, new Date())}
  </time>
);

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
  `${inDigits(count)} ${count === 1 ? what : `${what}s`}`;
