import * as z from 'zod';
import { createDocumentClient, createQueueClient } from '../../../adapters/aws-sdk/aws-clients.ts';
import { buildRetrying } from '../../../core/delivery/sending/retrying.ts';
import { composeQueueDeps } from '../../composition/queues.ts';
import { composeRetrying } from '../../composition/retrying.ts';
import { settlingVariables, text } from '../../runtime/environment.ts';

export { createHandler } from './handler.ts';

export const environmentSchema = z.object({
  ...settlingVariables,
  RETRY_QUEUE_URL: text,
  RETRY_DEAD_LETTER_QUEUE_URL: text,
});

export const compose = (environment: z.output<typeof environmentSchema>) => {
  const clients = { tables: createDocumentClient(), queues: createQueueClient() };
  const queueDeps = composeQueueDeps(environment.STAGE, clients.queues, {
    queueUrl: environment.RETRY_QUEUE_URL,
    deadLetterQueueUrl: environment.RETRY_DEAD_LETTER_QUEUE_URL,
  });
  const ports = composeRetrying(environment, clients, queueDeps);
  return { ...queueDeps, retryHourly: buildRetrying(ports).retryHourly };
};
