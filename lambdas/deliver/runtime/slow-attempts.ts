import { SLOW_AFTER_MS } from '../../../core/delivery/lanes.ts';

/** Resolves to true as soon as an attempt is slow, to false if the attempt ends before. */
export const isSlow = async (attempt: Promise<unknown>): Promise<boolean> => {
  const slow = Promise.withResolvers<boolean>();
  const timer = setTimeout(slow.resolve, SLOW_AFTER_MS, true);
  const ended = attempt.then(
    () => false,
    () => false,
  );
  return Promise.race([slow.promise, ended]).finally(() => clearTimeout(timer));
};
