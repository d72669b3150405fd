import type { Delivery } from '../../../../core/delivery/delivery.ts';
import type { WebhookEndpoint } from '../../../../core/delivery/sending/make-attempt.ts';
import type { IntegrationEpoch } from '../../../../core/integration/integration.ts';
import { late, type Through } from '../../called-ports.ts';
import { dyingAfter } from '../../dying-process.ts';
import { A_MESSAGE, aDelivery } from '../../event/platform-events.ts';
import { anIntegration } from '../../integration/integrations.ts';
import { untouchable } from '../../untouchable.ts';
import { inMemoryParts, portsOver, type Stored } from '../in-memory-ports.ts';
import { answered, ScriptedWebhookEndpoint } from '../scripted-webhook-endpoint.ts';
import { troubled } from '../trouble/troubled.ts';

export const ONE_O_CLOCK = '2026-11-20T13:00:00.000Z';
export const TWO_O_CLOCK = '2026-11-20T14:00:00.000Z';
/** When the schedule fires after a retry at one o'clock, with a random number of a half. */
export const NEXT_FIRING = '2026-11-20T13:46:30.000Z';
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

/**
 * The hourly retry at one o'clock, of an integration that by default is due, with three events
 * pending; `retryDyingAfter` is the same of a process that dies, `retryNow` the retry of an admin.
 */
export const aRetry = async ({
  stored = FAILED,
  endpoint = untouchable<WebhookEndpoint>('the endpoint'),
  pending = [eventOf(2), eventOf(1), eventOf(3)],
  now = () => new Date(ONE_O_CLOCK),
  ...chance
}: {
  stored?: Stored;
  endpoint?: WebhookEndpoint;
  pending?: readonly Delivery[];
  now?: () => Date;
  random?: number;
  wait?: (ms: number) => Promise<void>;
} = {}) => {
  const parts = inMemoryParts(stored, [SCHEDULE]);
  const { pendingEvents } = parts;
  for (const delivery of pending) await pendingEvents.put(delivery, A_MESSAGE);
  const retryThrough = (through: Through) => {
    const { retryHourly } = portsOver(parts, { endpoint, now, through, ...chance });
    return (schedule: IntegrationEpoch, message = A_MESSAGE) => retryHourly(schedule, message);
  };
  const { retryNow } = portsOver(parts, { endpoint, now, ...chance });
  return {
    ...parts,
    retryNow,
    retry: retryThrough(late),
    retryDyingAfter: (calls: number) => retryThrough(dyingAfter(calls)),
    pendingIds: () => pendingEvents.of(REQUEST.id).map(({ event }) => event.id),
    attemptedIds: () => parts.log.attempts.map(({ event }) => event.id),
  };
};

export const answering = (statusCode: number) =>
  new ScriptedWebhookEndpoint(() => answered(statusCode));

/** Does not answer. */
export const hanging = () =>
  new ScriptedWebhookEndpoint(() => ({ kind: 'unanswered', reason: 'response-timeout' }));

/** Confirms the events of these minutes, and answers others with an error. */
export const confirming = (...minutes: number[]) =>
  new ScriptedWebhookEndpoint(({ headers }) => {
    const isConfirmed = minutes.some((minute) => headers['webhook-id']?.endsWith(`/evt_${minute}`));
    return answered(isConfirmed ? 200 : 400);
  });
