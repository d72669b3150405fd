import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Delivery } from '../../core/delivery/delivery.ts';
import {
  type DeliveryQueue,
  deliveryMessage,
  NotEnqueued,
} from '../../core/delivery/delivery-queue.ts';

/**
 * Limits of SQS: 1 MiB for a message and for a whole batch, ten entries for a batch, A
 * message with the largest body that is delivered, 256 KiB, is far below.
 */
const MAX_BYTES = 1_048_576;
const MAX_ENTRIES = 10;

/** Writes a queue of deliveries: a fair queue whose message group is the integration. */
export class SqsDeliveryQueue implements DeliveryQueue {
  readonly #client: SQSClient;
  readonly #queueUrl: string;

  constructor(client: SQSClient, queueUrl: string) {
    this.#client = client;
    this.#queueUrl = queueUrl;
  }

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
          };
        }),
      }),
    );
    const codes = new Map(Failed.map(({ Id, Code = 'unknown' }) => [Id, Code]));
    return batch.flatMap((delivery, index) => {
      const code = codes.get(String(index));
      return code === undefined
        ? []
        : [[delivery, new Error(`SQS refused the delivery: ${code}`)] as const];
    });
  }
}

/** Puts each delivery into the first batch that has room for it by both limits. */
const inBatches = (deliveries: readonly Delivery[]): readonly Delivery[][] => {
  const batches: { deliveries: Delivery[]; bytes: number }[] = [];
  for (const delivery of deliveries) {
    const bytes = messageBytes(delivery);
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

const TYPE = 'String';

const sqsAttributes = (attributes: Readonly<Record<string, string>>) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [
      name,
      { DataType: TYPE, StringValue: value },
    ]),
  );

/**
 * The size of a delivery's message as SQS counts it: the body, and each attribute's name, type and
 * value, in UTF-8.
 */
const messageBytes = (delivery: Delivery): number => {
  const { body, attributes } = deliveryMessage(delivery);
  return Object.entries(attributes).reduce(
    (bytes, [name, value]) => bytes + Buffer.byteLength(name + TYPE + value),
    Buffer.byteLength(body),
  );
};
