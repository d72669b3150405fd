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
    const reason = 'the attribute delivery is missing';
    expect(deadLetters.letters).toEqual([{ text: '{"stray":1}', attributes: {}, reason }]);
  });

  it('goes there with its attributes, so that it can be put back', async () => {
    const deadLetters = new InMemoryDeadLetters();
    const { handler } = aDeliveringHandler({ deadLetters });
    const record = deliveryRecord('m1', aDelivery());
    const delivery = { dataType: 'String', stringValue: '{"format":1}' } as const;
    record.messageAttributes = { delivery };
    expect(await handler(aBatch(record))).toEqual(ALL_DONE);
    expect(deadLetters.letters).toMatchObject([{ text: record.body, attributes: { delivery } }]);
  });

  it('stays in its queue when a later version wrote it', async () => {
    const deadLetters = new InMemoryDeadLetters();
    const { handler, logger } = aDeliveringHandler({ deadLetters });
    const record = deliveryRecord('m1', aDelivery());
    const stringValue = '{"format":2,"of":"tomorrow"}';
    record.messageAttributes = { delivery: { dataType: 'String', stringValue } };
    expect(await handler(aBatch(record))).toEqual(kept('m1'));
    expect(deadLetters.letters).toEqual([]);
    expect(logger.named('record.failed')).toMatchObject([
      { error: 'LaterFormat: the message has format 2, and this version reads up to 1' },
    ]);
  });

  it('stays in the queue when it cannot be put among the dead letters', async () => {
    const deadLetters = { add: () => Promise.reject(new Error('throttled')) };
    const { handler } = aDeliveringHandler({ deadLetters });
    expect(await handler(aBatch(aRecord('m1', '{}')))).toEqual(kept('m1'));
  });
});
