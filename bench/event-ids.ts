import { Random } from '../test/simulation/chance.ts';

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 8;
const NUMBER_DIGITS = 8;

/**
 * An event's id as the platform makes them: `evt_` and a ULID, which tells the time of the event.
 * Its last digits are the event's number.
 */
export const timedId = (at: Date, number: number): string =>
  `evt_${digits(at.getTime(), TIME_DIGITS)}${noise(number)}${digits(number, NUMBER_DIGITS)}`;

/** An id that does not tell the time of the event. */
export const opaqueId = (number: number): string =>
  `evt_x${noise(number + 1_000_000)}${noise(number)}${digits(number, NUMBER_DIGITS)}`;

const digits = (value: number, length: number): string =>
  Array.from(
    { length },
    (_, index) => DIGITS[Math.floor(value / DIGITS.length ** (length - 1 - index)) % DIGITS.length],
  ).join('');

const noise = (seed: number): string => {
  const random = new Random(seed);
  return Array.from({ length: RANDOM_DIGITS }, () => DIGITS[random.below(DIGITS.length)]).join('');
};
