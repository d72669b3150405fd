import { createAttemptDelivery } from '../../core/delivery/attempt-delivery.ts';
import { createAttemptOldest } from '../../core/delivery/attempt-oldest.ts';
import { createEndTrouble } from '../../core/delivery/end-trouble.ts';
import { createEnterTrouble } from '../../core/delivery/enter-trouble.ts';
import { createRecoverDeliveries } from '../../core/delivery/recover-deliveries.ts';
import { createRequestRecovery } from '../../core/delivery/request-recovery.ts';
import { createResendDelivery } from '../../core/delivery/resend-delivery.ts';
import { createRetryNow } from '../../core/delivery/retry-now.ts';
import { createTestIntegration } from '../../core/delivery/test-integration.ts';
import type { WebhookEndpoint } from '../../core/delivery/webhook-endpoint.ts';
import type { Integration, Trouble } from '../../core/integrations/integration.ts';
import { InMemoryDeliveryLog } from './in-memory-delivery-log.ts';
import { InMemoryDeliveryQueue } from './in-memory-delivery-queue.ts';
import { InMemoryIntegrations } from './in-memory-integrations.ts';
import { InMemoryPendingEvents } from './in-memory-pending-events.ts';
import { InMemoryReplayRequests } from './in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from './in-memory-retry-schedules.ts';
import { anIntegration } from './integrations.ts';
import { ScriptedWebhookEndpoint } from './scripted-webhook-endpoint.ts';

export const HALF_PAST_TWELVE = new Date('2026-11-20T12:30:00.000Z');
export const TEST_EVENT = 'test_0123456789abcdefABCD';
export const OF_INTEGRATION = { account: 'acme', id: anIntegration().id };

/** In trouble since noon, of incident 3; the hourly attempt is at one. */
export const troubled = (kind: Trouble['kind']): Integration =>
  anIntegration({
    incident: 3,
    delivery: {
      kind,
      since: '2026-11-20T12:00:00.000Z',
      statusCode: 503,
      lastAttemptAt: '2026-11-20T12:00:00.000Z',
      nextAttemptAt: '2026-11-20T13:00:00.000Z',
    },
  });

/** The schedule of that trouble. */
export const SCHEDULE = { ...OF_INTEGRATION, incident: 3 };

export type Stored = Integration | 'deleted';

type Through = <Port extends object>(port: Port) => Port;
const asItIs: Through = (port) => port;

/** What mending works on, over memory, at half past twelve. By default all is well and nothing is kept. */
export const mendingParts = ({
  stored = anIntegration() as Stored,
  endpoint = new ScriptedWebhookEndpoint() as WebhookEndpoint,
} = {}) => {
  const parts = {
    integrations: new InMemoryIntegrations(...(stored === 'deleted' ? [] : [stored])),
    pendingEvents: new InMemoryPendingEvents(),
    log: new InMemoryDeliveryLog(),
    deliveries: new InMemoryDeliveryQueue(),
    replays: new InMemoryReplayRequests(),
    schedules: new InMemoryRetrySchedules(
      ...(stored !== 'deleted' && stored.delivery.kind !== 'healthy' ? [SCHEDULE] : []),
    ),
  };
  const pendingIds = () => parts.pendingEvents.of(OF_INTEGRATION.id).map(({ event }) => event.id);
  const queuedIds = () => parts.deliveries.deliveries.map(({ event }) => event.id);
  return { ...parts, endpoint, pendingIds, queuedIds };
};

/** The use cases over them; `through` is what stands between a use case and its ports. */
export const mendingOf = (
  parts: ReturnType<typeof mendingParts>,
  { through = asItIs }: { through?: Through } = {},
) => {
  const now = () => HALF_PAST_TWELVE;
  const integrations = through(parts.integrations);
  const pendingEvents = through(parts.pendingEvents);
  const log = through(parts.log);
  const replays = through(parts.replays);
  const schedules = through(parts.schedules);
  const deliveries = through(parts.deliveries);
  const states = integrations;
  const attemptDelivery = createAttemptDelivery({
    endpoint: through(parts.endpoint),
    attemptLog: log,
    now,
    userAgent: 'Service-Webhooks/1.2.3',
  });
  const attemptOldest = createAttemptOldest({
    states,
    pendingEvents,
    arrivals: log,
    attemptDelivery,
    enterTrouble: createEnterTrouble({ states, schedules, now, retryIntervalMs: 3_600_000 }),
    endTrouble: createEndTrouble({ states, replays, schedules }),
  });
  return {
    testIntegration: createTestIntegration({
      integrations,
      deliveryLog: log,
      attemptDelivery,
      newTestEventId: () => TEST_EVENT,
      now,
    }),
    retryNow: createRetryNow({ integrations, attemptOldest }),
    resendDelivery: createResendDelivery({ integrations, history: log, deliveries }),
    requestRecovery: createRequestRecovery({ integrations, states, schedules, replays, now }),
    recoverDeliveries: createRecoverDeliveries({
      integrations,
      pendingEvents,
      deliveryLogPurge: log,
      history: log,
      deliveries,
      recoveries: replays,
    }),
  };
};
