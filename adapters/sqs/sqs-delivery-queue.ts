import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Delivery } from '../../core/delivery/delivery.ts';
import { type DeliveryQueue, deliveryMessage } from '../../core/delivery/delivery-queue.ts';

/** Limits of SQS: 1 MiB for a message and for a whole batch, ten entries for a batch, and a delay. */
const MAX_BYTES = 1_048_576;
const MAX_ENTRIES = 10;
const MAX_DELAY_S = 900;

/** Writes a queue of deliveries: a fair queue whose message group is the integration. */
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

  async enqueue(
    deliveries: readonly Delivery[],
    { delayMs = 0 }: { delayMs?: number } = {},
  ): Promise<void> {
    const delaySeconds = Math.min(MAX_DELAY_S, Math.ceil(delayMs / 1_000));
    await Promise.all(inBatches(deliveries).map((batch) => this.#send(batch, delaySeconds)));
  }

  async #send(batch: readonly Delivery[], delaySeconds: number): Promise<void> {
    const { Failed = [] } = await this.#client.send(
      new SendMessageBatchCommand({
        QueueUrl: this.#queueUrl,
        Entries: batch.map((delivery, index) => {
          const { body, attributes } = deliveryMessage(delivery);
          return {
            Id: String(index),
            MessageBody: body,
            MessageAttributes: sqsAttributes(attributes),
            MessageGroupId: delivery.integration,
            ...(delaySeconds > 0 && { DelaySeconds: delaySeconds }),
          };
        }),
      }),
    );
    if (Failed.length === 0) return;
    const codes = [...new Set(Failed.map(({ Code }) => Code))].join(', ');
    throw new Error(`${Failed.length} of ${batch.length} deliveries were not enqueued: ${codes}`);
  }
}

/** Splits deliveries into batches, in their order, filling each batch up to both limits. */
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

const TYPE = 'String';

const sqsAttributes = (attributes: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      { DataType: TYPE, StringValue: value },
    ]),
  );

/** More attempts than an integration gets in a lifetime, at one an hour. */
const MANY_ATTEMPTS = 999_999_999;

const LONGEST_TRIGGER = 'rerouted' satisfies Delivery['trigger'];
const SOME_INSTANT = new Date(0).toISOString();

/**
 * The size of a delivery's message as SQS counts it: the body, and each attribute's name, type and
 * value, in UTF-8. The size is that of the delivery's largest form, because a delivery that was
 * enqueued must fit again when it is replayed.
 */
export const messageBytes = (delivery: Delivery): number => {
  const largest: Delivery = {
    ...delivery,
    trigger: LONGEST_TRIGGER,
    priorAttempts: MANY_ATTEMPTS,
    backingOffSince: SOME_INSTANT,
    refusedAt: SOME_INSTANT,
    deferrals: 9,
  };
  const { body, attributes } = deliveryMessage(largest);
  return Object.entries(attributes).reduce(
    (bytes, [name, value]) => bytes + Buffer.byteLength(name + TYPE + value),
    Buffer.byteLength(body),
  );
};
