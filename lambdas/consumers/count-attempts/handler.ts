import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import type { StreamedDelivery } from '../../../core/delivery/search/delivery-index.ts';
import { confirmingAmong } from '../../../core/delivery/statistics/confirming.ts';
import type {
  CountAttempts,
  StreamedAttempt,
} from '../../../core/delivery/statistics/count-attempts.ts';
import { faultField, type Metrics } from '../../runtime/reporting.ts';
import { firstFailed, readRecords, writtenAt } from '../../runtime/stream-records.ts';
import { type IndexDeps, indexDeliveries } from './index-deliveries.ts';
import type { WindowEvent, WindowResponse } from './window-event.ts';

interface Deps extends IndexDeps {
  /** What a change of the log adds, if anything. Throws `UnreadableChange`. */
  readonly additionsOf: (change: unknown) => Additions;
  readonly countAttempts: CountAttempts;
  readonly deadLetters: DeadLetters;
  readonly metrics: Metrics;
}

interface Additions {
  readonly attempts: readonly StreamedAttempt[];
  readonly delivery: StreamedDelivery | undefined;
}

/**
 * Counts the attempts and delivered events that a batch of the delivery log's changes adds, and
 * indexes its deliveries; neither waits for the other or fails with it. Lambda sends the reported
 * record and all later ones again: what was counted is not counted again, and deliveries are
 * indexed as before.
 */
export const createHandler =
  (deps: Deps) =>
  async ({ shardId, Records = [] }: WindowEvent): Promise<WindowResponse> => {
    const records = await readRecords(Records, { ...deps, read: deps.additionsOf });
    const attempts = records.flatMap(({ change }) => change?.attempts ?? []);
    const deliveries = records.flatMap(({ change }) => change?.delivery ?? []);
    const [uncounted, unindexed] = await Promise.all([
      deps.countAttempts(shardId, attempts),
      indexDeliveries(shardId, deliveries, { ...deps, since: writtenAt(Records) }),
    ]);
    const [first] = uncounted;
    if (first === undefined) {
      deps.logger.info('attempts.counted', {
        shardId,
        attempts: attempts.filter(({ counted }) => counted !== 'deliveredEvents').length,
      });
    } else {
      const hours = uncounted.length;
      deps.logger.error('attempts.not_counted', { shardId, hours, ...faultField(first.fault) });
    }
    const positions = new Set(uncounted.map(({ position }) => position));
    const batchItemFailures = firstFailed(
      records,
      ({ change, isFailed = false }) =>
        isFailed ||
        change?.attempts.some(({ position }) => positions.has(position)) === true ||
        (change?.delivery !== undefined && unindexed.has(change.delivery)),
    );
    reportBatch(attempts, batchItemFailures.length, deps);
    return { state: {}, batchItemFailures };
  };

/** A batch that comes again is not counted twice. */
const reportBatch = (
  attempts: readonly StreamedAttempt[],
  failed: number,
  { metrics }: Pick<Deps, 'metrics'>,
): void => {
  metrics.count('RecordsFailed', failed);
  if (failed === 0) {
    const { confirming, notConfirming } = confirmingAmong(attempts);
    metrics.count('IntegrationsConfirming', confirming);
    metrics.count('IntegrationsNotConfirming', notConfirming);
  }
  metrics.flush();
};
