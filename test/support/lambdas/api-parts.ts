import type { WebhookEndpoint } from '../../../core/delivery/sending/make-attempt.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { InMemoryChangeLog } from '../changes/in-memory-changes.ts';
import { InMemoryDeliveryIndex } from '../delivery/in-memory-delivery-index.ts';
import { testAndRecoverParts } from '../delivery/recovery/test-and-recover-parts.ts';
import { InMemoryStatistics } from '../delivery/statistics/in-memory-statistics.ts';
import { InMemoryCallBudget } from '../directory/in-memory-call-budget.ts';
import { inMemoryDirectory } from '../directory/in-memory-directory.ts';
import { InMemoryHostAddresses } from '../integration/in-memory-host-addresses.ts';
import { InMemoryIdempotencyRecords } from '../integration/in-memory-idempotency-records.ts';
import { InMemoryIntegrations } from '../integration/in-memory-integrations.ts';
import {
  InMemorySecrets,
  InMemorySecretWraps,
  quickHash,
} from '../integration/in-memory-secrets.ts';
import type { anObservation } from './recording-logger.ts';

export const CALLS_PER_MINUTE = 30;

/** Everything the API keeps and uses; ids and secrets are numbered. */
export const partsOf = (
  stored: readonly Integration[],
  { now, endpoint }: { now: () => Date; endpoint: WebhookEndpoint },
) => {
  let ids = 0;
  let secrets = 0;
  let draws = 0;
  const idempotency = new InMemoryIdempotencyRecords();
  const integrations = new InMemoryIntegrations(...stored);
  integrations.records = idempotency;
  const recovered = testAndRecoverParts({ endpoint });
  return {
    ...recovered,
    deliveryLogReader: recovered.log,
    integrations,
    index: new InMemoryDeliveryIndex(),
    statistics: new InMemoryStatistics(),
    changes: new InMemoryChangeLog(),
    idempotency,
    budget: new InMemoryCallBudget({ now, callsPerMinute: CALLS_PER_MINUTE }),
    directory: inMemoryDirectory(),
    secrets: new InMemorySecrets(),
    secretWraps: new InMemorySecretWraps(),
    slowHash: quickHash,
    hosts: new InMemoryHostAddresses({ 'inside.example.com': ['10.0.0.1'] }),
    guard: { allowLoopback: false },
    now,
    newIntegrationId: () => {
      ids += 1;
      // The order of creation is not the order of the list.
      return `id${String((ids * 617) % 1_000).padStart(3, '0')}${String(ids).padStart(7, '0')}`;
    },
    randomBytes: (size: number) => {
      draws += 1;
      return Buffer.alloc(size, `drawn ${draws}`);
    },
    newWebhookSecret: () => {
      secrets += 1;
      return `whsec_${Buffer.from(`made secret ${secrets}`.padEnd(24, '.')).toString('base64')}`;
    },
  };
};

export type ApiParts = ReturnType<typeof partsOf>;
export type Observation = ReturnType<typeof anObservation>;

/** All that the API keeps, and what it has sent. */
export const stateOf = ({
  integrations,
  pendingEvents,
  setAsideEvents,
  log,
  ...parts
}: ApiParts): unknown =>
  structuredClone({
    integrations: integrations.all,
    pending: integrations.all.map(({ id }) => pendingEvents.of(id)),
    setAside: integrations.all.map(({ id }) => setAsideEvents.of(id)),
    deliveries: log.deliveries,
    attempts: log.attempts,
    queued: parts.deliveries.deliveries,
    replays: parts.replays.requested,
    schedules: parts.schedules.all,
    keys: parts.idempotency.all,
    tokens: parts.directory.tokens.all,
    links: parts.directory.links.all,
  });
