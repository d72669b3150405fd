import { Aws, Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageSettings } from '../stage-settings.ts';
import { targetOf } from './gradual-release.ts';
import { alarmOnConsumer, functionLabel, PlottedAlarm } from './monitoring.ts';
import { addDeadLetterQueue } from './work-queue.ts';

interface LogStreamProps {
  readonly settings: StageSettings;
  readonly deliveryLog: ITable;
}

/** The maximum for a DynamoDB stream. */
const BATCH_SIZE = 1_000;

/** The longest. The function only needs the window's shard id, and does not wait for its end. */
const TUMBLING_WINDOW = Duration.minutes(15);

/**
 * Lambda waits up to about a minute between tries: a hundred take more than an hour. Then a record
 * that crashes the function no longer blocks its shard.
 */
const RETRIES = 100;

/** DynamoDB keeps a change for 24 hours. */
const MAXIMUM_AGE = Duration.hours(12);

/**
 * The stream of the delivery log's changes, the one function that reads it, the dead-letter queue for
 * changes that the function cannot read or count, and the alarms.
 */
export class LogStream extends Construct {
  readonly deadLetterQueue: Queue;
  readonly #settings: StageSettings;
  readonly #streamArn: string;
  readonly #keyArn: string;

  constructor(scope: Construct, id: string, { settings, deliveryLog }: LogStreamProps) {
    super(scope, id);
    this.#settings = settings;
    const { tableStreamArn, encryptionKey } = deliveryLog;
    if (!tableStreamArn) throw new Error(`${deliveryLog.node.path} has no stream.`);
    if (!encryptionKey) throw new Error(`${deliveryLog.node.path} has no key of its own.`);
    this.#streamArn = tableStreamArn;
    this.#keyArn = encryptionKey.keyArn;
    this.deadLetterQueue = addDeadLetterQueue(this, settings, {
      source: 'a stream',
      label: 'changes of the delivery log',
      meaning: 'The dead-letter queue has messages: statistics lack these attempts.',
      runbookSection: 'statistics',
    });
  }

  readBy(reader: LambdaFunction): void {
    reader.addToRolePolicy(
      new PolicyStatement({
        actions: [
          'dynamodb:DescribeStream',
          'dynamodb:GetRecords',
          'dynamodb:GetShardIterator',
          'dynamodb:ListStreams',
        ],
        resources: [this.#streamArn],
      }),
    );
    // The key's policy permits the use through DynamoDB, which is enough for tables. Readers of a
    // stream need it in their role too (https://github.com/aws/aws-cdk/issues/22796).
    reader.addToRolePolicy(
      new PolicyStatement({
        actions: ['kms:Decrypt'],
        resources: [this.#keyArn],
        conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${Aws.REGION}.amazonaws.com` } },
      }),
    );
    new EventSourceMapping(this, 'Source', {
      target: targetOf(reader),
      eventSourceArn: this.#streamArn,
      // A change that is read again is not counted again.
      startingPosition: StartingPosition.TRIM_HORIZON,
      batchSize: BATCH_SIZE,
      maxBatchingWindow: Duration.seconds(this.#settings.countingWindowSeconds),
      tumblingWindow: TUMBLING_WINDOW,
      // A shard's batches come one after the other: the counts rely on their order.
      parallelizationFactor: 1,
      // Half of all changes are deletions of expired items.
      filters: [FilterCriteria.filter({ eventName: FilterRule.or('INSERT', 'MODIFY') })],
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: RETRIES,
      maxRecordAge: MAXIMUM_AGE,
      // The reader may send there anyway. Lambda sends with the reader's role.
      onFailure: { bind: () => ({ destination: this.deadLetterQueue.queueArn }) },
    });
    new PlottedAlarm(this, 'LateAlarm', {
      graph: 'uncounted',
      label: functionLabel(reader),
      metric: reader.metric('IteratorAge', { period: Duration.minutes(5), statistic: 'Maximum' }),
      threshold: Duration.minutes(15).toMilliseconds(),
      meaning: 'Changes of the delivery log wait to be counted, so statistics are late.',
      runbookSection: 'statistics',
    });
    alarmOnConsumer(this, reader, 'in halves');
  }
}
