/** Runs at most `most` tasks at a time, in the order of the calls. */
export const createLimiter = (most: number) => {
  const waiting: (() => void)[] = [];
  let free = most;
  return async <Result>(task: () => Promise<Result>): Promise<Result> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
};
