import type { WebhookEndpoint } from '../../../core/delivery/sending/make-attempt.ts';
import { buildRetrying } from '../../../core/delivery/sending/retrying.ts';
import type { Integration, IntegrationEpoch } from '../../../core/integration/integration.ts';
import type { SecretOpener } from '../../../core/integration/signing-secrets.ts';
import packageJson from '../../../package.json' with { type: 'json' };
import { late } from '../called-ports.ts';
import { InMemoryIntegrations } from '../integration/in-memory-integrations.ts';
import { InMemorySecrets } from '../integration/in-memory-secrets.ts';
import { untouchable } from '../untouchable.ts';
import { InMemoryDeliveryLog } from './in-memory-delivery-log.ts';
import { InMemoryDeliveryQueue } from './in-memory-delivery-queue.ts';
import { InMemoryPendingEvents } from './pending/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from './pending/in-memory-replay-requests.ts';
import { InMemorySetAsideEvents } from './pending/in-memory-set-aside-events.ts';
import { InMemorySlotStore } from './sending/in-memory-slot-store.ts';
import { InMemoryRetrySchedules } from './trouble/in-memory-retry-schedules.ts';

export type Stored = Integration | 'deleted';

const scheduleOf = (stored: Stored): IntegrationEpoch[] =>
  stored === 'deleted' || stored.trouble === undefined ? [] : [stored];

/** The stores and queues of the use cases. By default an integration in trouble has its schedule. */
export const inMemoryParts = (
  stored: Stored,
  schedules: readonly IntegrationEpoch[] = scheduleOf(stored),
) => ({
  integrations: new InMemoryIntegrations(...(stored === 'deleted' ? [] : [stored])),
  pendingEvents: new InMemoryPendingEvents(),
  setAsideEvents: new InMemorySetAsideEvents(),
  log: new InMemoryDeliveryLog(),
  deliveries: new InMemoryDeliveryQueue(),
  slowLane: new InMemoryDeliveryQueue(),
  slots: new InMemorySlotStore(),
  replays: new InMemoryReplayRequests(),
  schedules: new InMemoryRetrySchedules(...schedules),
});

/** The ports of the use cases over these parts, by default at noon, and the use cases that others are made of. */
export const portsOver = (
  parts: ReturnType<typeof inMemoryParts>,
  {
    endpoint = untouchable<WebhookEndpoint>('the endpoint'),
    now = () => new Date('2026-11-20T12:00:00.000Z'),
    through = late,
    secrets = new InMemorySecrets() as SecretOpener,
    random = 0.5,
    wait = (_ms: number) => new Promise<void>(() => {}),
  } = {},
) => {
  const integrations = through(parts.integrations);
  const log = through(parts.log);
  const ports = {
    integrations,
    states: integrations,
    pendingEvents: through(parts.pendingEvents),
    setAsideEvents: through(parts.setAsideEvents),
    deliveryLog: log,
    deliveryLogReader: log,
    deliveries: through(parts.deliveries),
    slowLane: through(parts.slowLane),
    slots: through(parts.slots),
    replays: through(parts.replays),
    schedules: through(parts.schedules),
    now,
    pause: async () => {},
    retryIntervalMs: 3_600_000,
    failedAfter: 20,
    windowMs: 12 * 3_600_000,
    random: () => random,
    wait,
    secrets,
    endpoint: through(endpoint),
    userAgent: `Service-Webhooks/${packageJson.version}`,
  };
  return { ...ports, ...buildRetrying(ports) };
};
