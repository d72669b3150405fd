import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Delivery } from '../../core/delivery/delivery.ts';
import type { DeliveryQueue } from '../../core/events/route-event.ts';
import { deliveryAttributes, messageBytes } from './delivery-message.ts';

/** SQS' limits: of a message and of a whole batch (1 MiB), and of a batch's entries. */
const MAX_BYTES = 1_048_576;
const MAX_ENTRIES = 10;

/** The deliveries queue: a fair queue whose message group is the integration. */
export class SqsDeliveryQueue implements DeliveryQueue {
  readonly #client: SQSClient;
  readonly #queueUrl: string;

  constructor(client: SQSClient, queueUrl: string) {
    this.#client = client;
    this.#queueUrl = queueUrl;
  }

  fits(delivery: Delivery): boolean {
    return messageBytes(delivery) <= MAX_BYTES;
  }

  async enqueue(deliveries: readonly Delivery[]): Promise<void> {
    await Promise.all(inBatches(deliveries).map((batch) => this.#send(batch)));
  }

  async #send(batch: readonly Delivery[]): Promise<void> {
    const { Failed = [] } = await this.#client.send(
      new SendMessageBatchCommand({
        QueueUrl: this.#queueUrl,
        Entries: batch.map((delivery, index) => ({
          Id: String(index),
          MessageBody: delivery.body,
          MessageAttributes: deliveryAttributes(delivery),
          MessageGroupId: delivery.integration,
        })),
      }),
    );
    if (Failed.length === 0) return;
    const codes = [...new Set(Failed.map(({ Code }) => Code))].join(', ');
    throw new Error(`${Failed.length} of ${batch.length} deliveries were not enqueued: ${codes}`);
  }
}

/** Fills each batch up to both limits, in order. */
const inBatches = (deliveries: readonly Delivery[]): Delivery[][] => {
  const batches: Delivery[][] = [];
  let bytes = 0;
  for (const delivery of deliveries) {
    const size = messageBytes(delivery);
    const last = batches.at(-1);
    if (last === undefined || last.length === MAX_ENTRIES || bytes + size > MAX_BYTES) {
      batches.push([delivery]);
      bytes = size;
    } else {
      last.push(delivery);
      bytes += size;
    }
  }
  return batches;
};
