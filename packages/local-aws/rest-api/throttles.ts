export interface MethodThrottle {
  /** `*` for every method. */
  readonly method: string;
  /** `*` for every path. */
  readonly path: string;
  /** Requests a second. */
  readonly rate: number;
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

const MS_OF_SECOND = 1_000;

/**
 * Says of each request whether a method takes it: each method of each path has a bucket of tokens, of
 * its own settings or of the stage's. Methods without settings take everything.
 */
export const createThrottles = (settings: readonly MethodThrottle[], now = Date.now) => {
  const buckets = new Map<string, Bucket>();
  const settingsOf = (method: string, path: string) =>
    settings.find((one) => one.method === method && one.path === path) ??
    settings.find((one) => one.method === '*' && one.path === '*');
  return (method: string, path: string): boolean => {
    const found = settingsOf(method, path);
    if (found === undefined) return true;
    const { rate, burst } = found;
    const at = now();
    const last = buckets.get(`${method} ${path}`) ?? { tokens: burst, at };
    const tokens = Math.min(burst, last.tokens + ((at - last.at) * rate) / MS_OF_SECOND);
    const isTaken = tokens >= 1;
    buckets.set(`${method} ${path}`, { tokens: isTaken ? tokens - 1 : tokens, at });
    return isTaken;
  };
};
