import {
  buildMakeAttempt,
  type WebhookEndpoint,
} from '../../../../core/delivery/attempt/make-attempt.ts';
import { buildRetryHourly } from '../../../../core/delivery/attempt/retry-hourly.ts';
import { buildRetryOldest } from '../../../../core/delivery/attempt/retry-oldest.ts';
import { buildTroubles } from '../../../../core/delivery/trouble/troubles.ts';
import type { Integration } from '../../../../core/integration/integration.ts';
import { A_MESSAGE, aDelivery } from '../../event/platform-events.ts';
import { InMemoryIntegrations } from '../../integration/in-memory-integrations.ts';
import { InMemorySecrets } from '../../integration/in-memory-secrets.ts';
import { anIntegration } from '../../integration/integrations.ts';
import { untouchable } from '../../untouchable.ts';
import { InMemoryDeliveryLog } from '../in-memory-delivery-log.ts';
import { InMemoryPendingEvents } from '../pending/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../pending/in-memory-replay-requests.ts';
import { InMemorySetAsideEvents } from '../pending/in-memory-set-aside-events.ts';
import { answered, ScriptedWebhookEndpoint } from '../scripted-webhook-endpoint.ts';
import { InMemoryRetrySchedules } from '../trouble/in-memory-retry-schedules.ts';
import { troubled } from '../trouble/troubled.ts';

export const ONE_O_CLOCK = '2026-11-20T13:00:00.000Z';
export const TWO_O_CLOCK = '2026-11-20T14:00:00.000Z';
export const REQUEST = { account: 'acme', id: anIntegration().id };
export const SCHEDULE = { ...REQUEST, epoch: 3 };

export const FAILED = troubled('failed');
export const LATER_FAILED = { ...FAILED, epoch: 5 };

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
  for (const delivery of pending) await pendingEvents.put(delivery, A_MESSAGE);
  const schedules = new InMemoryRetrySchedules(SCHEDULE);
  const replays = new InMemoryReplayRequests();
  const deliveryLog = new InMemoryDeliveryLog();
  const now = () => new Date(ONE_O_CLOCK);
  const retryIntervalMs = 3_600_000;
  const setAsideEvents = new InMemorySetAsideEvents();
  const ports = {
    integrations,
    states,
    pendingEvents,
    setAsideEvents,
    deliveryLog,
    replays,
    schedules,
  };
  const retryOldest = buildRetryOldest({
    ...ports,
    makeAttempt: buildMakeAttempt({
      secrets: new InMemorySecrets(),
      endpoint,
      now,
      userAgent: 'test',
    }),
    troubles: buildTroubles({ ...ports, now, retryIntervalMs }),
  });
  const retry = buildRetryHourly({ ...ports, retryOldest, now, retryIntervalMs });
  const pendingIds = () => pendingEvents.of(REQUEST.id).map(({ event }) => event.id);
  return {
    ...{ retry, integrations, pendingEvents, setAsideEvents, pendingIds },
    ...{ schedules, replays, deliveryLog },
  };
};

export const answering = (statusCode: number) =>
  new ScriptedWebhookEndpoint(() => answered(statusCode));
