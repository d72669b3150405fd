import type { EventReference } from '../../../core/delivery/delivery.ts';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The end of an id, such as `evt_01JD…`: a ULID, or a UUID of version 7 in ULID's alphabet. */
const ULID = /(?:^|[_-])([0-7][0-9A-HJKMNP-TV-Z]{9})[0-9A-HJKMNP-TV-Z]{16}$/i;
const UUID_V7 =
  /(?:^|[_-])([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** An event and its id are seldom made in the same millisecond. */
const CLOSE_MS = 1_000;

/** Later years have six digits as text, which sorts before the text of all other years. */
const LATEST_MS = Date.UTC(9999, 11, 31);

/** Milliseconds since 1970 in an id that begins with the time; undefined for any other id. */
const timeIn = (id: string): number | undefined => {
  const time = ulidTimeIn(id) ?? uuidTimeIn(id);
  return time !== undefined && time <= LATEST_MS ? time : undefined;
};

const ulidTimeIn = (id: string): number | undefined => {
  const [, ulidTime] = ULID.exec(id) ?? [];
  if (ulidTime === undefined) return undefined;
  return Array.from(ulidTime.toUpperCase()).reduce(
    (time, character) => time * CROCKFORD.length + CROCKFORD.indexOf(character),
    0,
  );
};

const uuidTimeIn = (id: string): number | undefined => {
  const [, high, low] = UUID_V7.exec(id) ?? [];
  return high === undefined ? undefined : Number.parseInt(`${high}${low}`, 16);
};

/** Whether `timesAround` the event's id includes the time when the event occurred. */
export const tellsItsTime = ({ id, occurredAt }: Pick<EventReference, 'id' | 'occurredAt'>) => {
  const time = timeIn(id);
  return time !== undefined && Math.abs(time - Date.parse(occurredAt)) <= CLOSE_MS;
};

/** When an event occurred at the earliest and at the latest, if its id tells; else undefined. */
export const timesAround = (id: string): { from: Date; to: Date } | undefined => {
  const time = timeIn(id);
  if (time === undefined) return undefined;
  return { from: new Date(Math.max(0, time - CLOSE_MS)), to: new Date(time + CLOSE_MS) };
};
