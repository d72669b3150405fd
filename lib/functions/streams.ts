import { Duration } from 'aws-cdk-lib';
import {
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunction,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type * as AnnounceChanges from '../../lambdas/consumers/announce-changes/compose.ts';
import type * as CountAttempts from '../../lambdas/consumers/count-attempts/compose.ts';
import { ServiceFunction } from '../constructs/service-function.ts';
import { TableStream } from '../constructs/table-stream.ts';
import { limits } from '../limits.ts';
import { directoryPermission, onTable, toQueue } from './permissions.ts';
import type { ServiceParts } from './service-parts.ts';

type Parts = Pick<ServiceParts, 'settings' | 'state'>;

export const createLogStream = (scope: Construct, { settings, state }: Parts): TableStream =>
  new TableStream(scope, 'LogStream', {
    settings,
    table: state.deliveryLog,
    source: {
      batchSize: 1_000,
      maxBatchingWindow: Duration.seconds(settings.countingWindowSeconds),
      // The longest. The function only needs the window's shard id, and does not wait for its end.
      tumblingWindow: Duration.minutes(15),
      // A shard's batches come one after the other: the counts rely on their order.
      parallelizationFactor: 1,
      // Half of all changes are deletions of expired items.
      filters: [FilterCriteria.filter({ eventName: FilterRule.or('INSERT', 'MODIFY') })],
    },
  });

/**
 * A batch of 100 writes takes at most a quarter of a second: a read of each account, the puts of its
 * changes and ten calls of EventBridge. A shard has two batches at a time, each with other
 * integrations: 800 writes a second. When 20,000 integrations fail within a minute, each with four
 * writes, one shard is read in two minutes; a table has usually four.
 */
export const createIntegrationStream = (
  scope: Construct,
  { settings, state }: Parts,
): TableStream =>
  new TableStream(scope, 'IntegrationStream', {
    settings,
    table: state.integrations,
    source: {
      batchSize: 100,
      maxBatchingWindow: Duration.seconds(1),
      // The writes of an integration, and those of its account, stay in their order.
      parallelizationFactor: 2,
      // No filter: a pattern compares an image with constants, and only the difference of the two
      // images tells a change from a count. Healthy endpoints cause no writes at all.
    },
  });

export const createCountAttempts = (
  scope: Construct,
  { settings, state, logStream }: ServiceParts,
): LambdaFunction =>
  new ServiceFunction<typeof CountAttempts>(scope, 'CountAttempts', {
    name: 'count-attempts',
    description: 'Adds up the attempts of each integration and hour, and indexes deliveries',
    settings,
    timeout: Duration.millis(limits.countTimeoutMs),
    memoryMb: settings.memoryMb.queue,
    environment: {
      DELIVERY_INDEX_TABLE: state.deliveryIndex.tableName,
      STATISTICS_TABLE: state.statistics.tableName,
      LOG_STREAM_DEAD_LETTER_QUEUE_URL: logStream.deadLetterQueue.queueUrl,
      STAGE: settings.stage,
    },
    permissions: [
      // GetItem finds out how much of a repeated batch is counted already.
      onTable(state.statistics, 'GetItem', 'UpdateItem'),
      // PutItem writes the items that a batch left undone.
      onTable(state.deliveryIndex, 'BatchWriteItem', 'PutItem'),
      toQueue(logStream.deadLetterQueue),
    ],
  }).lambda;

export const createAnnounceChanges = (scope: Construct, parts: ServiceParts): LambdaFunction => {
  const { eventBus, integrationStream, notices, settings, state } = parts;
  return new ServiceFunction<typeof AnnounceChanges>(scope, 'AnnounceChanges', {
    name: 'announce-changes',
    description: 'Tells customers and the platform of the changes of integrations',
    settings,
    timeout: Duration.millis(limits.announceTimeoutMs),
    memoryMb: settings.memoryMb.queue,
    environment: {
      CHANGES_TABLE: state.changes.tableName,
      DIRECTORY_TABLE: state.directory.tableName,
      EVENT_BUS_NAME: eventBus.eventBusName,
      NOTICE_QUEUE_URL: notices?.queue.queueUrl,
      INTEGRATION_STREAM_DEAD_LETTER_QUEUE_URL: integrationStream.deadLetterQueue.queueUrl,
      STAGE: settings.stage,
    },
    permissions: [
      onTable(state.changes, 'PutItem'),
      directoryPermission(parts, ['ACCOUNT'], 'GetItem'),
      { actions: ['events:PutEvents'], resource: eventBus.eventBusArn },
      ...(notices ? [toQueue(notices.queue)] : []),
      toQueue(integrationStream.deadLetterQueue),
    ],
  }).lambda;
};
