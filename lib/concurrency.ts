import type { StageSettings, Throttling } from './stage-settings.ts';

/** The default limit of an AWS account, for which the settings of a stage are. */
const DEFAULT_LIMIT = 1_000;

/** From here on the event sources leave the 100 that AWS lets no function reserve. */
const LEAST_RESERVING = 286;

/** Below it, the numbers of `prod` would round to more than there is. */
const SCALABLE = 20;

/** Of an event source. */
const [LEAST, MOST] = [2, 1_000];

type Concurrency = Pick<StageSettings, 'maximumConcurrency' | 'reservesConcurrency' | 'throttling'>;

/**
 * Concurrency for an AWS account with another limit, or for a part of it: at least 10. Nothing is
 * reserved where AWS would refuse it. Bursts need executions at once, and grow with them; what a
 * rate needs is little, and does not.
 */
export const concurrencyIn = (
  limit: number,
  { maximumConcurrency, throttling }: Concurrency,
): Concurrency => {
  const scaled = (count: number) =>
    limit < SCALABLE
      ? LEAST
      : Math.min(MOST, Math.max(LEAST, Math.floor((count * limit) / DEFAULT_LIMIT)));
  const { routing, delivery, slow, replay, retry } = maximumConcurrency;
  const own = {
    routing: scaled(routing),
    delivery: scaled(delivery),
    slow: scaled(slow),
    replay: scaled(replay),
    retry: scaled(retry),
  };
  return {
    maximumConcurrency: own,
    reservesConcurrency: limit >= LEAST_RESERVING,
    throttling: { ...throttling, ...burstsIn(limit, throttling) },
  };
};

/** A page needs some calls at once, however few executions there are. */
const burstsIn = (limit: number, of: Throttling) => {
  const scaled = (burst: number) =>
    Math.floor((burst * Math.max(limit, LEAST_RESERVING)) / DEFAULT_LIMIT);
  return {
    burst: scaled(of.burst),
    changesBurst: scaled(of.changesBurst),
    costlyBurst: scaled(of.costlyBurst),
    publicBurst: scaled(of.publicBurst),
  };
};
