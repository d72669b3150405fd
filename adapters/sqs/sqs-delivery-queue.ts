import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { Delivery } from '../../core/delivery/delivery.ts';
import {
  type DeliveryQueue,
  deliveryMessage,
  NotEnqueued,
} from '../../core/delivery/delivery-queue.ts';

import { failedOf, MAX_BYTES, MAX_ENTRIES, messageBytes, SqsQueue } from './sqs-queue.ts';

/**
 * Writes a queue of deliveries: a fair queue whose message group is the account. SQS would find none
 * of a hundred groups noisy that share what is in flight.
 */
export class SqsDeliveryQueue extends SqsQueue implements DeliveryQueue {
  async enqueue(deliveries: readonly Delivery[]): Promise<void> {
    const sending = inBatches(deliveries).map((batch) =>
      this.#send(batch).catch((fault: unknown) =>
        batch.map((delivery) => [delivery, fault] as const),
      ),
    );
    const faults = new Map((await Promise.all(sending)).flat());
    if (faults.size > 0) throw new NotEnqueued(faults, { of: deliveries.length });
  }

  /** Resolves to the deliveries that SQS refused, and why. */
  async #send(batch: readonly Delivery[]): Promise<(readonly [Delivery, unknown])[]> {
    const { Failed } = await this.client.send(
      new SendMessageBatchCommand({
        QueueUrl: this.queueUrl,
        Entries: batch.map((delivery, index) => {
          const { body, attributes } = sqsMessage(delivery);
          return {
            Id: String(index),
            MessageBody: body,
            MessageAttributes: attributes,
            MessageGroupId: delivery.account,
          };
        }),
      }),
    );
    return failedOf(batch, Failed).map(
      ([delivery, code]) => [delivery, new Error(`SQS refused the delivery: ${code}`)] as const,
    );
  }
}

/** Puts each delivery into the first batch that has room for it by both limits. */
const inBatches = (deliveries: readonly Delivery[]): readonly Delivery[][] => {
  const batches: { deliveries: Delivery[]; bytes: number }[] = [];
  for (const delivery of deliveries) {
    const { body, attributes } = sqsMessage(delivery);
    const bytes = messageBytes(body, attributes);
    const open = batches.find(
      (batch) => batch.deliveries.length < MAX_ENTRIES && batch.bytes + bytes <= MAX_BYTES,
    );
    if (open === undefined) batches.push({ deliveries: [delivery], bytes });
    else {
      open.deliveries.push(delivery);
      open.bytes += bytes;
    }
  }
  return batches.map((batch) => batch.deliveries);
};

const sqsMessage = (delivery: Delivery) => {
  const { body, attributes } = deliveryMessage(delivery);
  const asSent = Object.entries(attributes).map(
    ([name, value]) => [name, { DataType: 'String', StringValue: value }] as const,
  );
  return { body, attributes: Object.fromEntries(asSent) };
};
