import { Duration, Validations } from 'aws-cdk-lib';
import { EventInvokeConfig, type IFunction } from 'aws-cdk-lib/aws-lambda';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageSettings } from '../config.ts';
import { addAlarm } from './alarm.ts';
import { queueProps } from './work-queue.ts';

/**
 * The queue to which Lambda sends each hourly retry whose invocation failed three times by our
 * fault, with the fault. Nothing consumes the queue: the next hour's retry replaces a failed retry.
 */
export class FailedRetries extends Construct {
  readonly queue: Queue;

  constructor(scope: Construct, id: string, { settings }: { settings: StageSettings }) {
    super(scope, id);
    this.queue = new Queue(this, 'Queue', queueProps(settings));
    Validations.of(this.queue).acknowledge({
      id: 'AwsSolutions-SQS3',
      reason:
        'The queue itself is a dead-letter queue: for asynchronous invocations, not for a queue.',
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

  /** The role of `retryHourly` must already be allowed to send to the queue. */
  of(retryHourly: IFunction): void {
    new EventInvokeConfig(this, 'Invocations', {
      function: retryHourly,
      retryAttempts: 2,
      onFailure: { bind: () => ({ destination: this.queue.queueArn }) },
    });
  }
}
