import type {
  DeliveryIndex,
  StreamedDelivery,
} from '../../../core/delivery/search/delivery-index.ts';
import { faultField, type Logger } from '../../runtime/reporting.ts';

export interface IndexDeps {
  readonly index: Pick<DeliveryIndex, 'add'>;
  readonly now: () => Date;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  readonly logger: Logger;
}

/** How long a batch that is not indexed holds up the counts of its shard. */
const INDEXING_MS = 15 * 60_000;
/** Before deliveries are given up: after a backlog each batch is old, also if only one write fails. */
const PAUSES_MS = [1_000, 3_000] as const;

/**
 * Resolves to the deliveries that are to come again; to none once the batch is too old. `since`:
 * when the first of its records was written, in milliseconds since 1970.
 */
export const indexDeliveries = async (
  shardId: string,
  deliveries: readonly StreamedDelivery[],
  { since, ...deps }: IndexDeps & { since: number },
): Promise<ReadonlySet<StreamedDelivery>> => {
  if (deliveries.length === 0) return new Set();
  for (let tries = 0; ; tries += 1) {
    try {
      await deps.index.add(shardId, deliveries);
      return new Set();
    } catch (fault) {
      const isOld = deps.now().getTime() > since + INDEXING_MS;
      const pauseMs = isOld ? PAUSES_MS[tries] : undefined;
      if (pauseMs === undefined) {
        const fields = { shardId, deliveries: deliveries.length, isGivenUp: isOld };
        deps.logger.error('deliveries.not_indexed', { ...fields, ...faultField(fault) });
        return new Set(isOld ? [] : deliveries);
      }
      await deps.sleep(pauseMs);
    }
  }
};
