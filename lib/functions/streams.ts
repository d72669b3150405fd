import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { TableStream } from '../constructs/table-stream.ts';
import type { ServiceParts } from './service-parts.ts';

type Parts = Pick<ServiceParts, 'settings' | 'state'>;

export const createLogStream = (scope: Construct, { settings, state }: Parts): TableStream =>
  new TableStream(scope, 'LogStream', {
    settings,
    table: state.deliveryLog,
    label: 'changes of the delivery log',
    whenDeadLettered: 'statistics lack these attempts.',
    whenLate: 'statistics are late.',
    runbookSection: 'statistics',
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
