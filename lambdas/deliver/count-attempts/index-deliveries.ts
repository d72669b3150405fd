import type {
  DeliveryIndex,
  StreamedDelivery,
} from '../../../core/delivery/search/delivery-index.ts';
import { faultField, type Logger } from '../../runtime/reporting.ts';

export interface IndexDeps {
  readonly index: Pick<DeliveryIndex, 'add'>;
  readonly now: () => Date;
  readonly logger: Logger;
}

/** How long a batch that is not indexed holds up the counts of its shard. */
const INDEXING_MS = 15 * 60_000;

/**
 * Resolves to the deliveries that are to come again; to none once the batch is too old. `since`: when the
 * first of its records was written, in milliseconds since 1970.
 */
export const indexDeliveries = async (
  shardId: string,
  deliveries: readonly StreamedDelivery[],
  { since, ...deps }: IndexDeps & { since: number },
): Promise<ReadonlySet<StreamedDelivery>> => {
  try {
    if (deliveries.length > 0) await deps.index.add(shardId, deliveries);
    return new Set();
  } catch (fault) {
    const isGivenUp = deps.now().getTime() > since + INDEXING_MS;
    const fields = { shardId, deliveries: deliveries.length, isGivenUp };
    deps.logger.error('deliveries.not_indexed', { ...fields, ...faultField(fault) });
    return new Set(isGivenUp ? [] : deliveries);
  }
};
