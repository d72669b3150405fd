import DataLoader from 'dataloader';
import type {
  Integration,
  IntegrationBatches,
  IntegrationStore,
} from '../core/integration/integration.ts';

/** Long enough for the calls of a batch, whose earlier writes end at about the same time. */
const GATHERED_MS = 5;

/**
 * Reads the integrations that are asked for within some milliseconds in one call. Each read is sent
 * after its caller asked, so the caller sees what was stored by then. Nothing is cached.
 */
export const gatheredReads = (integrations: IntegrationBatches): IntegrationStore => {
  const loader = new DataLoader<{ account: string; id: string }, Integration | undefined>(
    (keys) => integrations.findAll(keys),
    { cache: false, batchScheduleFn: (send) => setTimeout(send, GATHERED_MS) },
  );
  return { find: (account, id) => loader.load({ account, id }) };
};
