import { createAttemptDelivery } from '../../core/delivery/attempt-delivery.ts';
import { createEndTrouble } from '../../core/delivery/end-trouble.ts';
import { createEnterTrouble } from '../../core/delivery/enter-trouble.ts';
import { createRetryIntegration } from '../../core/delivery/retry-integration.ts';
import type { WebhookEndpoint } from '../../core/delivery/webhook-endpoint.ts';
import type { Integration, Trouble } from '../../core/integrations/integration.ts';
import { InMemoryDeliveryLog } from './in-memory-delivery-log.ts';
import { InMemoryIntegrations } from './in-memory-integrations.ts';
import { InMemoryPendingEvents } from './in-memory-pending-events.ts';
import { InMemoryReplayRequests } from './in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from './in-memory-retry-schedules.ts';
import { anIntegration } from './integrations.ts';
import { aDelivery } from './platform-events.ts';
import { answered, ScriptedWebhookEndpoint } from './scripted-webhook-endpoint.ts';
import { untouchable } from './untouchable.ts';

export const ONE_O_CLOCK = '2026-11-20T13:00:00.000Z';
export const TWO_O_CLOCK = '2026-11-20T14:00:00.000Z';
export const REQUEST = { account: 'acme', id: anIntegration().id };
export const SCHEDULE = { ...REQUEST, incident: 3 };

export const troubled = (kind: Trouble['kind'], wishes: Partial<Trouble> = {}): Integration =>
  anIntegration({
    incident: 3,
    delivery: {
      kind,
      since: '2026-11-20T12:00:00.000Z',
      statusCode: 503,
      lastAttemptAt: '2026-11-20T12:00:00.000Z',
      nextAttemptAt: ONE_O_CLOCK,
      ...wishes,
    },
  });
export const FAILED = troubled('failed');
export const LATER_FAILED = { ...FAILED, incident: 5 };

export const eventOf = (minute: number) =>
  aDelivery({
    event: {
      id: `evt_${minute}`,
      type: 'message.received',
      occurredAt: `2026-11-20T12:0${minute}:00.000Z`,
    },
    priorAttempts: minute,
  });

export const throttled = () => Promise.reject(new Error('throttled'));

/** The hourly retry at one o'clock, of an integration that by default is due, with three events pending. */
export const aRetry = async ({
  stored = FAILED as Integration | 'deleted',
  endpoint = untouchable<WebhookEndpoint>('the endpoint'),
  pending = [eventOf(2), eventOf(1), eventOf(3)],
} = {}) => {
  const integrations = new InMemoryIntegrations(...(stored === 'deleted' ? [] : [stored]));
  const states = integrations;
  const pendingEvents = new InMemoryPendingEvents();
  for (const delivery of pending) await pendingEvents.put(delivery);
  const schedules = new InMemoryRetrySchedules(SCHEDULE);
  const replays = new InMemoryReplayRequests();
  const attemptLog = new InMemoryDeliveryLog();
  const now = () => new Date(ONE_O_CLOCK);
  const retryIntervalMs = 3_600_000;
  const retry = createRetryIntegration({
    integrations,
    states,
    pendingEvents,
    arrivals: attemptLog,
    attemptDelivery: createAttemptDelivery({ endpoint, attemptLog, now, userAgent: 'test' }),
    enterTrouble: createEnterTrouble({ states, schedules, now, retryIntervalMs }),
    endTrouble: createEndTrouble({ states, replays, schedules }),
    replays,
    schedules,
    now,
    retryIntervalMs,
  });
  const pendingIds = () => pendingEvents.of(REQUEST.id).map(({ event }) => event.id);
  return { retry, integrations, pendingEvents, pendingIds, schedules, replays, attemptLog };
};

export const answering = (statusCode: number) =>
  new ScriptedWebhookEndpoint(() => answered(statusCode));
