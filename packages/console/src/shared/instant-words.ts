import { LOCALE } from './locale.ts';

/** By default that of the page, in the time zone of the browser. */
interface Reader {
  readonly locale?: string | undefined;
  readonly timeZone?: string | undefined;
}

const TIME = { hour: 'numeric', minute: '2-digit', second: '2-digit' } as const;
const DAY = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const;
const YEAR = { ...DAY, year: 'numeric' } as const;

/** The time; with the day unless it is today, and with the year unless it is this year. */
export const instantInWords = (
  at: string,
  now: Date,
  { locale = LOCALE, timeZone }: Reader = {},
) => {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  const [then, today] = [day.format(new Date(at)), day.format(now)];
  const parts = then === today ? TIME : then.slice(0, 4) === today.slice(0, 4) ? DAY : YEAR;
  return new Intl.DateTimeFormat(locale, { ...parts, timeZone }).format(new Date(at));
};

/** In full, in the local time zone and in UTC. */
export const exactInstant = (at: string, { locale = LOCALE, timeZone }: Reader = {}) => {
  const parts = { dateStyle: 'full', timeStyle: 'long', timeZone } as const;
  const full = new Intl.DateTimeFormat(locale, parts).format(new Date(at));
  return `${full}\n${new Date(at).toISOString()}`;
};

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** "in 48 minutes", "2 hours ago", "now" within a minute. */
export const distanceInWords = (at: string, now: Date, { locale = LOCALE }: Reader = {}) => {
  const seconds = (Date.parse(at) - now.getTime()) / 1_000;
  const found = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  if (found === undefined) return 'now';
  const [unit, length] = found;
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  return words.format(Math.trunc(seconds / length), unit);
};

const HOUR_MS = 3_600_000;

/** As `distanceInWords`, of an instant that is known to the hour: "within the last hour". */
export const hoursAgoInWords = (at: string, now: Date, reader: Reader = {}) =>
  now.getTime() - Date.parse(at) < HOUR_MS
    ? 'within the last hour'
    : distanceInWords(at, now, reader);

/** "between 7:00 and 8:00", of an instant that is known to the hour. */
export const hourInWords = (start: string, { locale = LOCALE, timeZone }: Reader = {}) => {
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZone });
  const from = Date.parse(start);
  return `between ${time.format(from)} and ${time.format(from + HOUR_MS)}`;
};

const REMAINING_UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
] as const;

/** The time until an instant in the two largest units, "23 h 59 min"; undefined once it is past. */
export const remainingInWords = (until: string, now: Date): string | undefined => {
  let seconds = Math.ceil((Date.parse(until) - now.getTime()) / 1_000);
  if (seconds <= 0) return undefined;
  const parts: string[] = [];
  for (const [unit, length] of REMAINING_UNITS) {
    const count = Math.floor(seconds / length);
    seconds -= count * length;
    if (count > 0 || parts.length > 0) parts.push(`${count} ${unit}`);
    if (parts.length === 2) break;
  }
  return parts.join(' ');
};
