import type { StageSettings } from './stage-settings.ts';

/** The default limit of an AWS account, for which the settings of a stage are. */
const DEFAULT_LIMIT = 1_000;

/** AWS lets functions reserve all but these. */
const UNRESERVABLE = 100;

/** Below it, the numbers of `prod` would round to more than there is. */
const SCALABLE = 20;

/** Of an event source. */
const [LEAST, MOST] = [2, 1_000];

type Concurrency = Pick<StageSettings, 'maximumConcurrency' | 'reservesConcurrency'>;

/**
 * Concurrency for an AWS account with another limit, or for a part of it: at least 10. Nothing is
 * reserved where AWS would refuse it.
 */
export const concurrencyIn = (limit: number, { maximumConcurrency }: Concurrency): Concurrency => {
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
  const sum = Object.values(own).reduce((total, each) => total + each, 0);
  return { maximumConcurrency: own, reservesConcurrency: sum <= limit - UNRESERVABLE };
};
