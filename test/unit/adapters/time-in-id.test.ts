import { describe, expect, it } from 'vitest';
import { tellsItsTime, timesAround } from '../../../adapters/dynamodb/delivery-log/time-in-id.ts';

/** Noon in the first 48 bits. */
const ULID = '01M7WD7TG0ABCDEFGHJKMNPQRS';
const UUID = '01a1f8d3-ea00-7abc-8def-0123456789ab';

const noonAnd = (milliseconds: number): string =>
  new Date(Date.UTC(2026, 10, 20, 12, 0, 0, milliseconds)).toISOString();

describe('an event’s id', () => {
  it.each([ULID, `evt_${ULID}`, `evt-${ULID}`, `evt_${ULID.toLowerCase()}`, UUID, `evt_${UUID}`])(
    'tells its time: %s',
    (id) => {
      expect(timesAround(id)).toEqual({
        from: new Date(noonAnd(-1_000)),
        to: new Date(noonAnd(1_000)),
      });
      expect(tellsItsTime({ id, occurredAt: noonAnd(0) })).toBe(true);
    },
  );

  it.each([
    'evt_1',
    `evt_${ULID}0`,
    `evt${ULID}`,
    // Beyond 128 bits, and a letter that the alphabet lacks.
    '81M7WD7TG0ABCDEFGHJKMNPQRS',
    'U1M7WD7TG0ABCDEFGHJKMNPQRS',
    // The first millisecond of the year 10000, and the last that a ULID can tell.
    '76EZ91ZQ00ABCDEFGHJKMNPQRS',
    '7ZZZZZZZZZABCDEFGHJKMNPQRS',
    // A random UUID.
    UUID.replace('-7abc', '-4abc'),
  ])('tells no time: %s', (id) => {
    expect(timesAround(id)).toBeUndefined();
    expect(tellsItsTime({ id, occurredAt: noonAnd(0) })).toBe(false);
  });

  it.each([
    [-1_000, true],
    [1_000, true],
    [-1_001, false],
    [1_001, false],
    [Number.NaN, false],
  ])('tells the time of an event that occurred %d ms later: %s', (milliseconds, tells) => {
    const occurredAt = Number.isNaN(milliseconds) ? 'never' : noonAnd(milliseconds);
    expect(tellsItsTime({ id: ULID, occurredAt })).toBe(tells);
  });

  it('of the first second of 1970 tells no time before', () => {
    expect(timesAround('00000000000000000000000000')?.from).toEqual(new Date(0));
  });
});
