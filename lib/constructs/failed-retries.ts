import { Duration, Validations } from 'aws-cdk-lib';
import { EventInvokeConfig, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageSettings } from '../config.ts';
import { addAlarm } from './alarm.ts';
import { queueProps } from './work-queue.ts';

/**
 * Where Lambda tells of the hourly retries that failed by our fault three times over, with the
 * fault. Nobody works the queue off: the next hour's retry takes the place of a failed retry.
 */
export class FailedRetries extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { settings }: { settings: StageSettings }) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', queueProps(settings));
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'The queue is a dead-letter queue itself: of asynchronous invocations, not of a queue.',
    });
    addAlarm(this, 'Alarm', {
      metric: this.queue.metricApproximateNumberOfMessagesVisible({
        period: Duration.minutes(1),
        statistic: 'Maximum',
      }),
      threshold: 1,
      meaning: 'Hourly retries fail by our fault: these integrations stay failed or busy.',
      runbookSection: 'failed-retries',
    });
  }

  /** Its role must have been given the right to send to the queue, and no more is given here. */
  of(retryHourly: IFunction): void {
    new EventInvokeConfig(this, 'Invocations', {
      function: retryHourly,
      retryAttempts: 2,
      onFailure: { bind: () => ({ destination: this.queue.queueArn }) },
    });
  }
}
