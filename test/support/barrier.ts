/**
 * Lets no caller pass before as many have arrived as were announced. Work that is done one by one
 * waits for ever before it.
 */
export const createBarrier = (expected: number): (() => Promise<void>) => {
  const open = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === expected) open.resolve();
    return open.promise;
  };
};
