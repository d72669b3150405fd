import * as z from 'zod';
import { deliveringVariables, text } from '../../runtime/environment.ts';
import { composeDelivering } from '../deliver-webhook/compose.ts';

export { createHandler } from '../deliver-webhook/handler.ts';

export const environmentSchema = z.object({
  ...deliveringVariables,
  SLOW_LANE_DEAD_LETTER_QUEUE_URL: text,
});

export const compose = (environment: z.output<typeof environmentSchema>) =>
  composeDelivering(environment, {
    lane: 'slow',
    queueUrl: environment.SLOW_LANE_QUEUE_URL,
    deadLetterQueueUrl: environment.SLOW_LANE_DEAD_LETTER_QUEUE_URL,
  });
