import { describe, expect, it } from 'vitest';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { aDeliveringHandler, kept } from '../../../support/lambdas/delivering-handler.ts';
import { aBatch, aRecord, deliveryRecord } from '../../../support/lambdas/sqs-batches.ts';

const ALL_DONE = { batchItemFailures: [] };

describe('a message of the deliveries queue that nobody can read', () => {
  it('goes among the dead letters, and the others are delivered', async () => {
    const deadLetters = new InMemoryDeadLetters();
    const { handler } = aDeliveringHandler({ deadLetters });
    const batch = aBatch(aRecord('m1', '{"stray":1}'), deliveryRecord('m2', aDelivery()));
    expect(await handler(batch)).toEqual(ALL_DONE);
    expect(deadLetters.letters).toEqual([
      {
        text: '{"stray":1}',
        reason:
          'attributes are missing or wrong: account, integration, eventId, eventType, occurredAt, trigger, priorAttempts',
      },
    ]);
  });

  it('stays in the queue when it cannot be put among the dead letters', async () => {
    const deadLetters = { add: () => Promise.reject(new Error('throttled')) };
    const { handler } = aDeliveringHandler({ deadLetters });
    expect(await handler(aBatch(aRecord('m1', '{}')))).toEqual(kept('m1'));
  });
});
