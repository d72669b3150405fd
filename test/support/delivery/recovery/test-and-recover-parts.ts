import { buildRequestRecovery } from '../../../../core/delivery/recovery/request-recovery.ts';
import { buildResendDelivery } from '../../../../core/delivery/recovery/resend-delivery.ts';
import { buildRunRecovery } from '../../../../core/delivery/recovery/run-recovery.ts';
import {
  buildMakeAttempt,
  type WebhookEndpoint,
} from '../../../../core/delivery/sending/make-attempt.ts';
import { buildRetryNow } from '../../../../core/delivery/sending/retry-now.ts';
import { buildRetryPending } from '../../../../core/delivery/sending/retry-pending.ts';
import { buildTestIntegration } from '../../../../core/delivery/sending/test-integration.ts';
import { buildTroubles } from '../../../../core/delivery/trouble/troubles.ts';
import type { Integration } from '../../../../core/integration/integration.ts';
import { InMemoryIntegrations } from '../../integration/in-memory-integrations.ts';
import { InMemorySecrets } from '../../integration/in-memory-secrets.ts';
import { anIntegration } from '../../integration/integrations.ts';
import { InMemoryDeliveryLog } from '../in-memory-delivery-log.ts';
import { InMemoryDeliveryQueue } from '../in-memory-delivery-queue.ts';
import { InMemoryPendingEvents } from '../pending/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../pending/in-memory-replay-requests.ts';
import { InMemorySetAsideEvents } from '../pending/in-memory-set-aside-events.ts';
import { ScriptedWebhookEndpoint } from '../scripted-webhook-endpoint.ts';
import { InMemoryRetrySchedules } from '../trouble/in-memory-retry-schedules.ts';

export const HALF_PAST_TWELVE = new Date('2026-11-20T12:30:00.000Z');
export const TEST_EVENT = 'test_0123456789abcdefABCD';
export const OF_INTEGRATION = { account: 'acme', id: anIntegration().id };

/** The schedule of that trouble. */
export const SCHEDULE = { ...OF_INTEGRATION, epoch: 3 };

export type Stored = Integration | 'deleted';

type Through = <Port extends object>(port: Port) => Port;
const asItIs: Through = (port) => port;

/** What tests and recoveries work on, over memory, at half past twelve. By default there is no trouble and nothing is kept. */
export const testAndRecoverParts = ({
  stored = anIntegration() as Stored,
  endpoint = new ScriptedWebhookEndpoint() as WebhookEndpoint,
} = {}) => {
  const parts = {
    integrations: new InMemoryIntegrations(...(stored === 'deleted' ? [] : [stored])),
    pendingEvents: new InMemoryPendingEvents(),
    setAsideEvents: new InMemorySetAsideEvents(),
    log: new InMemoryDeliveryLog(),
    deliveries: new InMemoryDeliveryQueue(),
    replays: new InMemoryReplayRequests(),
    schedules: new InMemoryRetrySchedules(
      ...(stored !== 'deleted' && stored.trouble ? [SCHEDULE] : []),
    ),
  };
  const pendingIds = () => parts.pendingEvents.of(OF_INTEGRATION.id).map(({ event }) => event.id);
  const queuedIds = () => parts.deliveries.deliveries.map(({ event }) => event.id);
  return { ...parts, endpoint, pendingIds, queuedIds };
};

/** The use cases over them; `through` is what stands between a use case and its ports. */
export const testAndRecoverOf = (
  parts: ReturnType<typeof testAndRecoverParts>,
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
  const makeAttempt = buildMakeAttempt({
    secrets: new InMemorySecrets(),
    endpoint: through(parts.endpoint),
    now,
    userAgent: 'Service-Webhooks/1.2.3',
  });
  const troubles = buildTroubles({ states, schedules, replays, now, retryIntervalMs: 3_600_000 });
  const retryPending = buildRetryPending({
    integrations,
    setAsideEvents: through(parts.setAsideEvents),
    states,
    troubles,
    pendingEvents,
    deliveryLog: log,
    makeAttempt,
    failedAfter: 20,
    now,
  });
  return {
    testIntegration: buildTestIntegration({
      integrations,
      deliveryLog: log,
      makeAttempt,
      newTestEventId: () => TEST_EVENT,
      now,
    }),
    retryNow: buildRetryNow({ integrations, retryPending, troubles, now }),
    resendDelivery: buildResendDelivery({ integrations, log, deliveries }),
    requestRecovery: buildRequestRecovery({ integrations, troubles, replays, now }),
    runRecovery: buildRunRecovery({
      integrations,
      pendingEvents,
      log,
      deliveries,
      replays,
      now,
    }),
  };
};
