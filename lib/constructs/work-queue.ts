import { Duration } from 'aws-cdk-lib';
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
import type { StageSettings } from '../config.ts';
import { addAlarm } from './alarm.ts';

interface WorkQueueProps {
  readonly settings: StageSettings;
  /** The longest that the function which works it off may take. */
  readonly consumerTimeout: Duration;
  /** Receives before SQS gives a message up to the dead-letter queue; 1 to 1,000. */
  readonly maxReceiveCount: number;
  /** One message of a group at a time, in order; standard queues are fair by theirs instead. */
  readonly isFifo?: boolean;
  readonly failure: FailureMeaning;
}

/** What people notice when the consumer fails, and where the way out is written. */
interface FailureMeaning {
  /** Completes "Messages are in the dead-letter queue: ". */
  readonly whenDeadLettered: string;
  /** Completes "Messages wait too long: ". */
  readonly whenLate: string;
  /** Heading in docs/runbook.md, as its anchor. */
  readonly runbookSection: string;
}

interface ConsumerOptions {
  /** Messages of a batch; 1 to 10, more would need a batching window. */
  readonly batchSize: number;
  /** Batches worked on at once; 2 to 1,000. */
  readonly maximumConcurrency: number;
}

/** What every queue here is like, its dead letters included. */
export const queueProps = ({ removalPolicy }: StageSettings) => ({
  encryption: QueueEncryption.SQS_MANAGED,
  enforceSSL: true,
  retentionPeriod: Duration.days(14), // the longest there is
  removalPolicy,
});

/** High throughput, and no message taken for a repetition but one with the same id in its group. */
const fifoProps: QueueProps = {
  fifo: true,
  deduplicationScope: DeduplicationScope.MESSAGE_GROUP,
  fifoThroughputLimit: FifoThroughputLimit.PER_MESSAGE_GROUP_ID,
};

/**
 * A queue, its dead-letter queue, the alarms on both, and the one function that works it off.
 * Senders set a message group, and nothing here does.
 */
export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;
  readonly #consumerTimeout: Duration;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.#consumerTimeout = props.consumerTimeout;
    const shared = { ...queueProps(props.settings), ...(props.isFifo ? fifoProps : {}) };
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', shared);
    // Six times the function's timeout, as AWS advises: Lambda retries a throttled batch meanwhile.
    const visibilityTimeout = Duration.seconds(6 * props.consumerTimeout.toSeconds());
    this.queue = new Queue(this, 'Queue', {
      ...shared,
      visibilityTimeout,
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: props.maxReceiveCount },
    });
    this.#alarmOn(props.failure, visibilityTimeout);
    this.node.addValidation({
      validate: () => (this.node.tryFindChild('Source') ? [] : ['Nobody works this queue off.']),
    });
  }

  workedOffBy(consumer: LambdaFunction, options: ConsumerOptions): void {
    if ((consumer.timeout?.toSeconds() ?? Infinity) > this.#consumerTimeout.toSeconds()) {
      throw new Error(`${consumer.node.path} may take longer than ${this.node.path} allows.`);
    }
    // What Lambda's poller needs. `grantConsumeMessages` would add two actions more.
    consumer.addToRolePolicy(
      new PolicyStatement({
        actions: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
        resources: [this.queue.queueArn],
      }),
    );
    new EventSourceMapping(this, 'Source', {
      target: consumer,
      eventSourceArn: this.queue.queueArn,
      batchSize: options.batchSize,
      maxConcurrency: options.maximumConcurrency,
      reportBatchItemFailures: true,
    });
  }

  #alarmOn(failure: FailureMeaning, visibilityTimeout: Duration): void {
    const { whenDeadLettered, whenLate, runbookSection } = failure;
    const watched = { period: Duration.minutes(1), statistic: 'Maximum' };
    addAlarm(this, 'DeadLetterAlarm', {
      metric: this.deadLetterQueue.metricApproximateNumberOfMessagesVisible(watched),
      threshold: 1,
      meaning: `Messages are in the dead-letter queue: ${whenDeadLettered}`,
      runbookSection,
    });
    // The metric leaves out messages received more than three times, so one that fails again and
    // again does not hold the alarm; five visibility timeouts is later than a third receive.
    addAlarm(this, 'LateAlarm', {
      metric: this.queue.metricApproximateAgeOfOldestMessage(watched),
      threshold: 5 * visibilityTimeout.toSeconds(),
      meaning: `Messages wait too long: ${whenLate}`,
      runbookSection,
    });
  }
}
