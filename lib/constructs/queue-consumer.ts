import { Duration } from 'aws-cdk-lib';
import {
  Alarm,
  ComparisonOperator,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { EventSourceMapping, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageSettings } from '../config.ts';

interface QueueConsumerProps {
  readonly settings: StageSettings;
  /**
   * Makes the function that works the queue off. What it can never process it sends to the
   * dead-letter queue itself, so it is given that.
   */
  readonly createConsumer: (deadLetterQueue: Queue) => LambdaFunction;
  /** Batches worked on at once; 2 to 1,000. */
  readonly maximumConcurrency: number;
  /** Receives before SQS gives a message up to the dead-letter queue; 1 to 1,000. */
  readonly maxReceiveCount: number;
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

/**
 * A queue, its dead-letter queue, the one function that works it off, and the alarms on both.
 * Standard queues: senders set a message group, which makes them fair, and nothing here does.
 */
export class QueueConsumer extends Construct {
  readonly queue: Queue;
  readonly deadLetterQueue: Queue;

  constructor(scope: Construct, id: string, props: QueueConsumerProps) {
    super(scope, id);
    const shared = {
      encryption: QueueEncryption.SQS_MANAGED,
      enforceSSL: true,
      retentionPeriod: Duration.days(14), // the longest there is
      removalPolicy: props.settings.removalPolicy,
    };
    this.deadLetterQueue = new Queue(this, 'DeadLetterQueue', shared);
    const consumer = props.createConsumer(this.deadLetterQueue);
    const visibilityTimeout = visibilityTimeoutFor(consumer);
    this.queue = new Queue(this, 'Queue', {
      ...shared,
      visibilityTimeout,
      deadLetterQueue: { queue: this.deadLetterQueue, maxReceiveCount: props.maxReceiveCount },
    });
    this.#connect(consumer, props.maximumConcurrency);
    this.#alarmOn(props.failure, visibilityTimeout);
  }

  #connect(consumer: LambdaFunction, maximumConcurrency: number): void {
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
      batchSize: 10, // the most that needs no batching window
      maxConcurrency: maximumConcurrency,
      reportBatchItemFailures: true,
    });
  }

  #alarmOn(failure: FailureMeaning, visibilityTimeout: Duration): void {
    const { whenDeadLettered, whenLate, runbookSection } = failure;
    const seeRunbook = `See docs/runbook.md#${runbookSection}.`;
    const period = Duration.minutes(1);
    this.#alarm(
      'DeadLetterAlarm',
      this.deadLetterQueue.metricApproximateNumberOfMessagesVisible({
        period,
        statistic: 'Maximum',
      }),
      {
        threshold: 1,
        description: `Messages are in the dead-letter queue: ${whenDeadLettered} ${seeRunbook}`,
      },
    );
    // The metric leaves out messages received more than three times, so one that fails again and
    // again does not hold the alarm; five visibility timeouts is later than a third receive.
    this.#alarm(
      'LateAlarm',
      this.queue.metricApproximateAgeOfOldestMessage({ period, statistic: 'Maximum' }),
      {
        threshold: 5 * visibilityTimeout.toSeconds(),
        description: `Messages wait too long: ${whenLate} ${seeRunbook}`,
      },
    );
  }

  #alarm(id: string, metric: Metric, options: { threshold: number; description: string }): void {
    new Alarm(this, id, {
      metric,
      threshold: options.threshold,
      alarmDescription: options.description,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
  }
}

/** Six times the function's timeout, as AWS advises: Lambda retries a throttled batch meanwhile. */
const visibilityTimeoutFor = ({ timeout }: LambdaFunction): Duration => {
  if (!timeout) throw new Error('A queue consumer needs a timeout of its own.');
  return Duration.seconds(6 * timeout.toSeconds());
};
