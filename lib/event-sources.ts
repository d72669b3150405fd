import type { StageSettings } from './stage-settings.ts';

/** SQS hands out no message while so many are received, and neither deleted nor visible again. */
export const IN_FLIGHT_LIMIT = 120_000;

/** How a queue hands its messages to its function. */
export interface EventSource {
  /** Messages of a batch: 1 to 10, or up to 10,000 with a window. A batch has at most 6 MB. */
  readonly batchSize: number;
  /** How long messages are gathered for a batch; at least a second for more than 10 messages. */
  readonly batchingWindowSeconds?: number;
  /** How many batches are processed at once: 2 to 1,000. */
  readonly maximumConcurrency: number;
}

/** The event source of each queue. */
export const eventSourcesOf = ({ maximumConcurrency }: Pick<StageSettings, 'maximumConcurrency'>) =>
  ({
    events: { batchSize: 10, maximumConcurrency: maximumConcurrency.routing },
    deliveries: { batchSize: 10, maximumConcurrency: maximumConcurrency.delivery },
    // An attempt there mostly waits: 100 of them take no more of a function than ten.
    slowLane: {
      batchSize: 100,
      batchingWindowSeconds: 1,
      maximumConcurrency: maximumConcurrency.slow,
    },
    // A run may use its whole time for one integration.
    replays: { batchSize: 1, maximumConcurrency: maximumConcurrency.replay },
    retries: { batchSize: 10, maximumConcurrency: maximumConcurrency.retry },
  }) satisfies Record<string, EventSource>;
