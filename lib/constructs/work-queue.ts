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
import { IN_FLIGHT_LIMIT, limits } from '../limits.ts';
import type { EventSource, StageSettings } from '../stage-settings.ts';
import { targetOf } from './gradual-release.ts';
import {
  alarmOnConsumer,
  alarmOnDeadLetters,
  functionLabel,
  labelOf,
  PlottedAlarm,
  PlottedMetric,
} from './monitoring.ts';

interface WorkQueueProps extends FailureMeaning {
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

/** The effect on customers when the consumer fails, and the section that says what to do. */
interface FailureMeaning {
  /** Completes "The dead-letter queue has messages: ". */
  readonly whenDeadLettered: string;
  /** Completes "The oldest message has waited too long: ". */
  readonly whenLate: string;
  /** Anchor of a heading in docs/operators/on-call.md. */
  readonly runbookSection: string;
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

/** A dead-letter queue whose messages do not come from a queue, and its alarm. */
export const addDeadLetterQueue = (
  scope: Construct,
  settings: StageSettings,
  { source, ...alarm }: { source: string } & Parameters<typeof alarmOnDeadLetters>[2],
): Queue => {
  const queue = new Queue(scope, 'DeadLetterQueue', queueProps(settings));
  Validations.of(queue).acknowledge({
    id: 'AwsSolutions-SQS3',
    reason: `The queue itself is a dead-letter queue: of ${source}, not of a queue.`,
  });
  alarmOnDeadLetters(scope, queue, alarm);
  return queue;
};

/**
 * A queue, its dead-letter queue, the alarms on both, and the one function that consumes the queue.
 * The senders set the message groups.
 */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
  readonly #consumerTimeoutMs: number;
  #consumer: LambdaFunction | undefined;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.#consumerTimeoutMs = props.consumerTimeoutMs;
    const shared = { ...queueProps(props.settings), ...(props.isFifo ? fifoProps : {}) };
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', shared);
    // AWS advises six times the function's timeout: Lambda needs time to retry a throttled batch.
    const visibilityTimeout = Duration.millis(6 * props.consumerTimeoutMs);
    this.queue = new Queue(this, 'Queue', {
      ...shared,
      visibilityTimeout,
      deadLetterQueue: {
        queue: this.deadLetterQueue,
        maxReceiveCount: props.maxReceiveCount ?? limits.receives,
      },
    });
    this.#addAlarms(props, visibilityTimeout);
    this.#plotTraffic();
    this.node.addValidation({
      validate: () => (this.#consumer ? [] : ['This queue has no consumer.']),
    });
  }

  /** Absent until the function is known. */
  get consumer(): LambdaFunction | undefined {
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
    alarmOnConsumer(this, consumer, 'after the visibility timeout');
    new PlottedMetric(this, 'Concurrency', {
      graph: 'concurrency',
      label: functionLabel(consumer),
      metric: consumer.metric('ConcurrentExecutions', {
        period: Duration.minutes(5),
        statistic: 'Maximum',
      }),
    });
  }

  #addAlarms(props: WorkQueueProps, visibilityTimeout: Duration): void {
    const { longestWaitMs = 0, whenDeadLettered, whenLate, runbookSection } = props;
    const label = labelOf(this);
    const watched = { period: Duration.minutes(1), statistic: 'Maximum' };
    alarmOnDeadLetters(this, this.deadLetterQueue, {
      label,
      meaning: `The dead-letter queue has messages: ${whenDeadLettered}`,
      runbookSection,
    });
    // The metric leaves out messages that were received more than three times. A record that fails is
    // received so often within a minute, and the alarm on failed records watches it. This alarm is for
    // messages that wait for a function or crash it: a third receive is within five visibility timeouts.
    new PlottedAlarm(this, 'LateAlarm', {
      graph: 'age',
      label,
      metric: this.queue.metricApproximateAgeOfOldestMessage(watched),
      threshold: 5 * visibilityTimeout.toSeconds() + longestWaitMs / 1_000,
      meaning: `The oldest message has waited too long: ${whenLate}`,
      runbookSection,
    });
    new PlottedAlarm(this, 'InFlightAlarm', {
      graph: 'in-flight',
      label,
      metric: this.queue.metricApproximateNumberOfMessagesNotVisible(watched),
      threshold: IN_FLIGHT_LIMIT / 2,
      meaning: `Half as many messages are in flight as SQS allows. At the limit the queue stops for all customers: ${whenLate}`,
      runbookSection: 'in-flight',
    });
  }

  #plotTraffic(): void {
    const label = labelOf(this);
    const period = Duration.minutes(1);
    new PlottedMetric(this, 'Sent', {
      graph: 'sent',
      label,
      metric: this.queue.metricNumberOfMessagesSent({ period, statistic: 'Sum' }),
    });
    new PlottedMetric(this, 'Waiting', {
      graph: 'waiting',
      label,
      metric: this.queue.metricApproximateNumberOfMessagesVisible({ period, statistic: 'Maximum' }),
    });
  }
}
