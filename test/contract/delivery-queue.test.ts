import type { MessageAttributeValue } from '@aws-sdk/client-sqs';
import { useQueues } from 'local-aws/test/support/queues.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { SqsDeliveryQueue } from '../../adapters/sqs/sqs-delivery-queue.ts';
import type { Delivery } from '../../core/delivery/delivery.ts';
import { type DeliveryQueue, NotEnqueued } from '../../core/delivery/delivery-queue.ts';
import { createDelivery } from '../../core/delivery/route-event.ts';
import { parseEvent } from '../../core/event/event.ts';
import { queuedDeliveryOf } from '../../lambdas/consumers/deliver-webhook/handler.ts';
import { InMemoryDeliveryQueue } from '../support/delivery/in-memory-delivery-queue.ts';
import { largestBody } from '../support/event/body-sizes.ts';
import { aDelivery, eventText } from '../support/event/platform-events.ts';
import { aRecord } from '../support/lambdas/queue-functions.ts';

interface Subject {
  readonly queue: DeliveryQueue;
  /** The deliveries as the consumer reads them, in any order. */
  received(): Promise<Delivery[]>;
}

const MIB = 1_048_576;

const deliveries = (count: number, body = '{}'): Delivery[] =>
  Array.from({ length: count }, (_, index) =>
    aDelivery({ integration: `integration${index}`, body }),
  );

const byIntegration = (some: readonly Delivery[]) =>
  some.toSorted((a, b) => a.integration.localeCompare(b.integration));

const deliveryQueueContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the deliveries queue`, () => {
    it('hands on a delivery as it was put in', async () => {
      const { queue, received } = await create();
      const delivery = aDelivery({ body: '{"data":{"text":"Grüße 👋 \\n <&>\\u0000"}}' });
      await queue.enqueue([delivery]);
      expect(await received()).toEqual([delivery]);
    });

    it('hands on what was tried before and is replayed', async () => {
      const { queue, received } = await create();
      const occurredAt = '2026-11-20T13:00:00.123456+01:00';
      const delivery = aDelivery({
        event: { ...aDelivery().event, occurredAt },
        trigger: 'replay',
        priorAttempts: 1_234,
      });
      await queue.enqueue([delivery]);
      expect(await received()).toEqual([delivery]);
    });

    it('takes more deliveries than a batch has entries', async () => {
      const { queue, received } = await create();
      await queue.enqueue(deliveries(25));
      expect(byIntegration(await received())).toEqual(byIntegration(deliveries(25)));
    });

    it('takes an event with the characters that SQS refuses', async () => {
      const { queue, received } = await create();
      const event = parseEvent(eventText({ data: { text: 'a\uFFFEb\uFFFFc\uD800' } }));
      await queue.enqueue([createDelivery(event, '0123456789Ab')]);
      const [delivery] = await received();
      expect(JSON.parse(delivery?.body ?? '').data.text).toBe('a\uFFFEb\uFFFFc\uFFFD');
    });

    it('takes more bytes than a batch may have, in the largest deliveries', async () => {
      const { queue, received } = await create();
      const largest = deliveries(5, largestBody()).map((delivery) => ({
        ...delivery,
        trigger: 'rerouted' as const,
        priorAttempts: 999_999_999,
        backoff: { since: '2026-11-20T12:00:00.000Z', attempts: 999_999_999, hasSlot: true },
      }));
      await queue.enqueue(largest);
      expect(byIntegration(await received())).toEqual(largest);
    });
  });

deliveryQueueContract('memory', async () => {
  const queue = new InMemoryDeliveryQueue();
  return { queue, received: async () => queue.deliveries };
});

describe('SQS', () => {
  const queues = useQueues();
  beforeEach(() => {
    queues.sentBatches.length = 0;
    queues.failBatches(() => false);
  });

  deliveryQueueContract('a queue', async () => {
    const queueUrl = await queues.createQueue();
    return {
      queue: new SqsDeliveryQueue(queues.client, queueUrl),
      received: async () =>
        (await queues.drain(queueUrl)).map(
          ({ Body = '', MessageAttributes = {} }) =>
            queuedDeliveryOf(
              aRecord('m', Body, { messageAttributes: asInLambda(MessageAttributes) }),
            ).delivery,
        ),
    };
  });

  it('puts each delivery into the message group of its account', async () => {
    const queue = new SqsDeliveryQueue(queues.client, await queues.createQueue());
    await queue.enqueue([
      ...deliveries(100),
      aDelivery({ account: 'globex', trigger: 'replay' }),
      aDelivery({ account: 'initech', trigger: 'manual' }),
    ]);
    const groups = Map.groupBy(queues.sentBatches.flat(), ({ MessageGroupId }) => MessageGroupId);
    expect([...groups].map(([group, { length }]) => [group, length])).toEqual([
      ['acme', 100],
      ['globex', 1],
      ['initech', 1],
    ]);
  });

  it('sends no more batches than it takes', async () => {
    const queue = new SqsDeliveryQueue(queues.client, await queues.createQueue());
    await queue.enqueue(deliveries(25));
    expect(queues.sentBatches.map(({ length }) => length).toSorted()).toEqual([10, 10, 5]);
  });

  it('fills the room that a large delivery leaves in its batch', async () => {
    const queue = new SqsDeliveryQueue(queues.client, await queues.createQueue());
    const [first, large, ...others] = deliveries(11);
    const body = JSON.stringify('x'.repeat(MIB - 2_000));
    if (first === undefined || large === undefined) expect.fail('too few');
    await queue.enqueue([{ ...first, body: body.slice(4_000) }, { ...large, body }, ...others]);
    expect(queues.sentBatches.map(({ length }) => length).toSorted()).toEqual([1, 10]);
  });

  it('tells which deliveries SQS refused and why, and enqueues the others', async () => {
    const queueUrl = await queues.createQueue({ MaximumMessageSize: '1024' });
    const queue = new SqsDeliveryQueue(queues.client, queueUrl);
    const [small, large] = [aDelivery(), aDelivery({ body: 'secret'.repeat(400) })];
    const fault = await faultOf(queue.enqueue([small, large]));
    expect(fault.message).toMatch(/^1 of 2 deliveries were not enqueued: .*: \w+$/);
    expect([...fault.faults.keys()]).toEqual([large]);
    expect(await queues.drain(queueUrl)).toMatchObject([{ Body: small.body }]);
  });

  it('fails the deliveries of a failed call, and enqueues the others', async () => {
    const queueUrl = await queues.createQueue();
    const queue = new SqsDeliveryQueue(queues.client, queueUrl);
    const all = deliveries(25).map((delivery, index) => ({ ...delivery, account: `org${index}` }));
    queues.failBatches((entries) => entries.some((entry) => entry.MessageGroupId === 'org13'));
    const fault = await faultOf(queue.enqueue(all));
    expect(fault.message).toBe('10 of 25 deliveries were not enqueued: InternalError: down');
    expect([...fault.faults.keys()]).toEqual(all.slice(10, 20));
    expect(await queues.drain(queueUrl)).toHaveLength(15);
  });

  it('throws when there is no queue', async () => {
    const queueUrl = (await queues.createQueue()).replace(/[^/]+$/, 'no-such-queue');
    const queue = new SqsDeliveryQueue(queues.client, queueUrl);
    const fault = await faultOf(queue.enqueue(deliveries(11)));
    expect(fault.faults.size).toBe(11);
  });
});

/** What a call throws that does not enqueue all deliveries. */
const faultOf = async (enqueueing: Promise<void>): Promise<NotEnqueued> => {
  const fault = await enqueueing.catch((thrown: unknown) => thrown);
  return fault instanceof NotEnqueued ? fault : expect.fail(`enqueueing came to ${fault}`);
};

/** A message's attributes as Lambda gives them to a function. */
const asInLambda = (attributes: Record<string, MessageAttributeValue>) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, { DataType, StringValue }]) => [
      name,
      { dataType: DataType as 'String', stringValue: StringValue },
    ]),
  );
