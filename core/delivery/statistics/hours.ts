const HOUR_MS = 3_600_000;

/** An hour of UTC, as text that sorts by time, such as `2026-11-20T12`. */
export type Hour = string;

export const hourOf = (at: Date): Hour => at.toISOString().slice(0, '2026-11-20T12'.length);

export const startOf = (hour: Hour): Date => new Date(`${hour}:00:00.000Z`);

/** The last so many hours, the hour of `now` included; oldest first. */
export const hoursUntil = (now: Date, count: number): readonly Hour[] =>
  Array.from({ length: count }, (_, index) =>
    hourOf(new Date(now.getTime() - (count - 1 - index) * HOUR_MS)),
  );

/** A day of UTC, such as `2026-11-20`: the beginning of its hours. */
export type Day = string;

export const dayOf = (hour: Hour): Day => hour.slice(0, '2026-11-20'.length);

/** The last so many days, the day of `now` included; oldest first. */
export const daysUntil = (now: Date, count: number): readonly Day[] =>
  Array.from({ length: count }, (_, index) =>
    dayOf(hourOf(new Date(now.getTime() - (count - 1 - index) * 24 * HOUR_MS))),
  );

export const firstHourOf = (day: Day): Hour => `${day}T00`;
