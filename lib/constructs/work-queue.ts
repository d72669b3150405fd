import { Duration, Validations } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import {
  DeduplicationScope,
  FifoThroughputLimit,
  Queue,
  QueueEncryption,
  type QueueProps,
} from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { limits } from '../limits.ts';
import type { EventSource, StageSettings } from '../stage-settings.ts';
import { targetOf } from './gradual-release.ts';

interface WorkQueueProps {
  readonly settings: StageSettings;
  /** The longest timeout that the queue's consumer may have: whole seconds. */
  readonly consumerTimeoutMs: number;
  /** How long the consumer lets a message wait on purpose; 0 by default. */
  readonly longestWaitMs?: number;
  /** Receives before SQS moves a message to the dead-letter queue: 1 to 1,000. */
  readonly maxReceiveCount?: number;
  /**
   * A FIFO queue gives the messages of a group in order, one at a time. A standard queue uses the
   * groups for fairness alone.
   */
  readonly isFifo?: boolean;
}

/** Properties of every queue of the service, dead-letter queues included. */
const queueProps = ({ removalPolicy }: StageSettings) => ({
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14), // the longest there is
  removalPolicy,
});

/** High throughput; a message repeats another only if both have the same group and the same id. */
const fifoProps: QueueProps = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

/** A dead-letter queue whose messages do not come from a queue, but from `source`. */
export const addDeadLetterQueue = (
  scope: Construct,
  settings: StageSettings,
  source: string,
): Queue => {
  const queue = new Queue(scope, 'DeadLetterQueue', queueProps(settings));
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: `The queue itself is a dead-letter queue: of ${source}, not of a queue.`,
  });
  return queue;
};

/**
 * A queue, its dead-letter queue, and the one function that consumes the queue.
 * The senders set the message groups.
 */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
  /** How long the consumer lets a message wait on purpose. */
  readonly longestWaitMs: number;
  readonly #consumerTimeoutMs: number;
  #consumer: LambdaFunction | undefined;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.longestWaitMs = props.longestWaitMs ?? 0;
    this.#consumerTimeoutMs = props.consumerTimeoutMs;
    const shared = { ...queueProps(props.settings), ...(props.isFifo ? fifoProps : {}) };
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', shared);
    this.queue = new Queue(this, 'Queue', {
      ...shared,
      visibilityTimeout: Duration.millis(this.visibilityTimeoutMs),
      deadLetterQueue: {
        queue: this.deadLetterQueue,
        maxReceiveCount: props.maxReceiveCount ?? limits.receives,
      },
    });
  }

  /** AWS advises six times the function's timeout: Lambda needs time to retry a throttled batch. */
  get visibilityTimeoutMs(): number {
    return 6 * this.#consumerTimeoutMs;
  }

  get consumer(): LambdaFunction {
    if (!this.#consumer) throw new Error(`${this.node.path} has no consumer.`);
    return this.#consumer;
  }

  consumedBy(consumer: LambdaFunction, source: EventSource): void {
    const { batchSize, batchingWindowSeconds = 0, maximumConcurrency } = source;
    if ((consumer.timeout?.toMilliseconds() ?? Infinity) > this.#consumerTimeoutMs) {
      throw new Error(`${consumer.node.path} may take longer than ${this.node.path} allows.`);
    }
    // Lambda's poller needs the first three. The function itself delays the retry of failed records.
    consumer.addToRolePolicy(
      new PolicyStatement({
        actions: [
          'sqs:ReceiveMessage',
          'sqs:DeleteMessage',
          'sqs:GetQueueAttributes',
          'sqs:ChangeMessageVisibility',
        ],
        resources: [this.queue.queueArn],
      }),
    );
    new EventSourceMapping(this, 'Source', {
      target: targetOf(consumer),
      eventSourceArn: this.queue.queueArn,
      batchSize,
      ...(batchingWindowSeconds > 0 && {
        maxBatchingWindow: Duration.seconds(batchingWindowSeconds),
      }),
      maxConcurrency: maximumConcurrency,
      reportBatchItemFailures: true,
    });
    this.#consumer = consumer;
  }
}
