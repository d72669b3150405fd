import type { SQSEvent, SQSMessageAttributes, SQSRecord } from 'aws-lambda';
import type { Delivery } from '../../../core/delivery/delivery.ts';
import {
  type DeadLetters,
  deliveryMessage,
  type MessageVisibility,
  type VisibilityChange,
} from '../../../core/delivery/delivery-queue.ts';
import { untouchable } from '../untouchable.ts';
import { anObservation } from './recording-logger.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

/** The delays by receipt handle. A change of a receipt handle in `refused` fails. */
export class InMemoryMessageVisibility implements MessageVisibility {
  readonly delaysMs: Record<string, number> = {};
  readonly #refused: readonly string[];

  constructor({ refused = [] as string[] } = {}) {
    this.#refused = refused;
  }

  async change<Change extends VisibilityChange>(changes: readonly Change[]) {
    const isRefused = ({ receiptHandle }: Change) => this.#refused.includes(receiptHandle);
    for (const change of changes) {
      if (!isRefused(change)) this.delaysMs[change.receiptHandle] = change.delayMs;
    }
    return changes.filter(isRefused).map((change) => ({
      ...change,
      code: 'ReceiptHandleIsInvalid',
    }));
  }
}

/** The dependencies of every function of a queue, over memory, without jitter. */
export const queueDeps = ({
  visibility = new InMemoryMessageVisibility(),
  now = () => NOON,
} = {}) => ({
  ...anObservation(),
  visibility,
  deadLetters: untouchable<DeadLetters>('the dead-letter queue'),
  now,
  random: () => 0.5,
});

/** The response to a batch of which these messages stay in the queue. */
export const kept = (...ids: string[]) => ({
  batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })),
});

export const ALL_DONE = kept();

export const aRecord = (
  messageId: string,
  body: string,
  { receiveCount = 1, messageAttributes = {} as SQSMessageAttributes } = {},
): SQSRecord => ({
  messageId,
  receiptHandle: `receipt of ${messageId}`,
  body,
  attributes: {
    ApproximateReceiveCount: String(receiveCount),
    SentTimestamp: '1795176000000',
    SenderId: 'AIDA',
    ApproximateFirstReceiveTimestamp: '1795176000100',
  },
  messageAttributes,
  md5OfBody: '',
  eventSource: 'aws:sqs',
  eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:queue',
  awsRegion: 'eu-central-1',
});

/** The record Lambda makes of a message that the delivery queue's adapter sent. */
export const deliveryRecord = (
  messageId: string,
  delivery: Delivery,
  { receiveCount = 1 } = {},
): SQSRecord =>
  aRecord(messageId, delivery.body, {
    receiveCount,
    messageAttributes: Object.fromEntries(
      Object.entries(deliveryMessage(delivery).attributes).map(([name, stringValue]) => [
        name,
        { dataType: 'String', stringValue },
      ]),
    ) as SQSMessageAttributes,
  });

export const aBatch = (...records: SQSRecord[]): SQSEvent => ({ Records: records });
