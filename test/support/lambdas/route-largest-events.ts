// A program: routes the largest events in a process of its own, whose memory can be limited. AWS is
// at `AWS_ENDPOINT_URL`. Prints what the function answers and the most memory that it had, in MiB.
import { MAX_BODY_BYTES } from '../../../core/delivery/route-event.ts';
import { compose } from '../../../lambdas/consumers/route-event/compose.ts';
import { createHandler } from '../../../lambdas/consumers/route-event/handler.ts';
import { eventWithBodyOf } from '../event/body-sizes.ts';
import { aBatch, aRecord } from './queue-functions.ts';

/** A batch. */
const EVENTS = 10;

const handler = createHandler(
  compose({
    STAGE: 'dev',
    INTEGRATIONS_TABLE: 'integrations',
    DIRECTORY_TABLE: 'directory',
    STATISTICS_TABLE: 'statistics',
    DELIVERIES_QUEUE_URL: `${process.env.AWS_ENDPOINT_URL}/deliveries`,
    SLOW_LANE_QUEUE_URL: `${process.env.AWS_ENDPOINT_URL}/deliveries`,
    EVENTS_QUEUE_URL: `${process.env.AWS_ENDPOINT_URL}/events`,
    EVENTS_DEAD_LETTER_QUEUE_URL: `${process.env.AWS_ENDPOINT_URL}/dead-letters`,
  }),
);

const records = Array.from({ length: EVENTS }, (_, index) =>
  aRecord(`m${index}`, JSON.stringify(eventWithBodyOf(MAX_BODY_BYTES, { id: `evt_${index}` }))),
);
const response = await handler(aBatch(...records));
const mostMiB = process.resourceUsage().maxRSS / 1_024;
// Standard output has the function's log.
process.stderr.write(JSON.stringify({ response, mostMiB }));
