import { Aws, Duration } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  type EventSourceMappingProps,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { StageSettings } from '../stage-settings.ts';
import { targetOf } from './gradual-release.ts';
import { addDeadLetterQueue } from './work-queue.ts';

interface TableStreamProps {
  readonly settings: StageSettings;
  readonly table: ITable;
  /** How Lambda gathers records for the function. A batch has at most 1,000 of one shard. */
  readonly source: Pick<
    EventSourceMappingProps,
    'batchSize' | 'maxBatchingWindow' | 'tumblingWindow' | 'parallelizationFactor' | 'filters'
  >;
}

/**
 * Lambda waits up to about a minute between tries: a hundred take more than an hour. Then a record
 * that crashes the function no longer blocks its shard.
 */
const RETRIES = 100;

/** DynamoDB keeps a change for 24 hours. */
const MAXIMUM_AGE = Duration.hours(12);

/**
 * The stream of a table's changes, the one function that reads it, the dead-letter queue for changes
 * that the function cannot read or process.
 */
export class TableStream extends Construct {
  readonly deadLetterQueue: Queue;
  readonly #props: TableStreamProps;
  readonly #streamArn: string;
  readonly #keyArn: string;
  #consumer: LambdaFunction | undefined;

  constructor(scope: Construct, id: string, props: TableStreamProps) {
    super(scope, id);
    const { settings, table } = props;
    this.#props = props;
    const { tableStreamArn, encryptionKey } = table;
    if (!tableStreamArn) throw new Error(`${table.node.path} has no stream.`);
    if (!encryptionKey) throw new Error(`${table.node.path} has no key of its own.`);
    this.#streamArn = tableStreamArn;
    this.#keyArn = encryptionKey.keyArn;
    this.deadLetterQueue = addDeadLetterQueue(this, settings, 'a stream');
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
      // A change that is read again has no further effect.
      startingPosition: StartingPosition.TRIM_HORIZON,
      ...this.#props.source,
      reportBatchItemFailures: true,
      bisectBatchOnError: true,
      retryAttempts: RETRIES,
      maxRecordAge: MAXIMUM_AGE,
      // The reader may send there anyway. Lambda sends with the reader's role.
      onFailure: { bind: () => ({ destination: this.deadLetterQueue.queueArn }) },
    });
    this.#consumer = reader;
  }

  get consumer(): LambdaFunction {
    if (!this.#consumer) throw new Error(`${this.node.path} has no reader.`);
    return this.#consumer;
  }
}
