import * as z from 'zod';
import { createQueueClient } from '../../adapters/aws-clients.ts';
import { SqsDeadLetters } from '../../adapters/sqs/sqs-dead-letters.ts';
import { buildDeliverWebhook } from '../../core/delivery/attempt/deliver-webhook.ts';
import { buildStorePending } from '../../core/delivery/pending/pending-events.ts';
import { composeAttempting } from '../_composition/attempting.ts';
import { composeQueueDeps } from '../_composition/queues.ts';
import { positiveInteger, settlingVariables, text } from '../_runtime/environment.ts';

export const environmentSchema = z.object({
  ...settlingVariables,
  DELIVERIES_QUEUE_URL: text,
  DELIVERIES_DEAD_LETTER_QUEUE_URL: text,
  BACKOFF_FIRST_DELAY_MS: positiveInteger,
  BACKOFF_MAX_DELAY_MS: positiveInteger,
  BACKOFF_WINDOW_MS: positiveInteger,
  BUSY_AFTER: positiveInteger,
  BACKOFF_SLOTS: positiveInteger,
  PROBES: positiveInteger,
});

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const ports = composeAttempting(environment);
  const queues = createQueueClient();
  return {
    ...composeQueueDeps(environment.STAGE, queues, environment.DELIVERIES_QUEUE_URL),
    deliverWebhook: buildDeliverWebhook({
      ...ports,
      storePending: buildStorePending(ports),
      backoff: {
        firstDelayMs: environment.BACKOFF_FIRST_DELAY_MS,
        maxDelayMs: environment.BACKOFF_MAX_DELAY_MS,
        windowMs: environment.BACKOFF_WINDOW_MS,
      },
      busyAfter: environment.BUSY_AFTER,
      backoffLimits: { most: environment.BACKOFF_SLOTS, probes: environment.PROBES },
      random: Math.random,
    }),
    integrations: ports.integrations,
    deadLetters: new SqsDeadLetters(queues, environment.DELIVERIES_DEAD_LETTER_QUEUE_URL),
  };
};
