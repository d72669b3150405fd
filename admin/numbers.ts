import { InvalidArgumentError } from 'commander';

/** Reads an option: a whole number from 1 to `maximum`. */
export const count =
  (maximum: number) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= 1 && number <= maximum) return number;
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${maximum}.`);
  };
