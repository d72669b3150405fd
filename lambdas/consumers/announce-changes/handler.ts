import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { IntegrationWrite } from '../../../core/changes/changes-between.ts';
import { firstFailed, readRecords } from '../../runtime/stream-records.ts';
import { type AnnounceDeps, announceWrites } from './announce-writes.ts';

interface Deps extends AnnounceDeps {
  /** Throws `UnreadableChange`. */
  readonly writeIn: (record: unknown) => IntegrationWrite;
}

/**
 * Announces the changes that a batch of writes of integrations makes. Lambda sends the reported
 * record and all later ones again.
 */
export const createHandler =
  (deps: Deps) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const records = await readRecords(Records, { ...deps, read: deps.writeIn });
    const failed = await announceWrites(
      records.filter(({ change }) => change !== undefined),
      deps,
    );
    const batchItemFailures = firstFailed(
      records,
      ({ isFailed = false, sequenceNumber }) => isFailed || sequenceNumber === failed,
    );
    deps.metrics.count('RecordsFailed', batchItemFailures.length);
    deps.metrics.flush();
    return { batchItemFailures };
  };
