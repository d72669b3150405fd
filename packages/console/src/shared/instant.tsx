import { distanceInWords, exactInstant, instantInWords } from './instant-words.ts';

/** A time in the local time zone. The tooltip has the exact instant. */
export const Instant = ({ at, hasDistance = false }: { at: string; hasDistance?: boolean }) => {
  const now = new Date();
  return (
    <time dateTime={at} title={exactInstant(at)}>
      {instantInWords(at, now)}
      {hasDistance && ` (${distanceInWords(at, now)})`}
    </time>
  );
};
