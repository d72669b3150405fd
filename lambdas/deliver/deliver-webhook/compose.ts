import * as z from 'zod';
import { composeDelivering } from '../../composition/delivering.ts';
import { deliveringVariables, text } from '../../runtime/environment.ts';

export { createHandler } from './handler.ts';

export const environmentSchema = z.object({
  ...deliveringVariables,
  DELIVERIES_QUEUE_URL: text,
  DELIVERIES_DEAD_LETTER_QUEUE_URL: text,
});

export type Environment = z.input<typeof environmentSchema>;

export const compose = (environment: z.output<typeof environmentSchema>) =>
  composeDelivering(environment, {
    lane: 'fast',
    queueUrl: environment.DELIVERIES_QUEUE_URL,
    deadLetterQueueUrl: environment.DELIVERIES_DEAD_LETTER_QUEUE_URL,
  });
