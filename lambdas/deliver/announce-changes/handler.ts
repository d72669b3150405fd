import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { AnnounceChanges } from '../../../core/changes/announce-changes.ts';
import type { IntegrationWrite } from '../../../core/changes/changes-between.ts';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import { faultField, type Logger } from '../../runtime/reporting.ts';
import { firstFailed, readRecords } from '../runtime/stream-records.ts';

interface Deps {
  /** Throws `UnreadableChange`. */
  readonly writeIn: (record: unknown) => IntegrationWrite;
  readonly announceChanges: AnnounceChanges;
  readonly deadLetters: DeadLetters;
  readonly logger: Logger;
}

/**
 * Announces the changes that a batch of writes of integrations makes. Lambda sends the reported
 * record and all later ones again.
 */
export const createHandler =
  (deps: Deps) =>
  async ({ Records }: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse> => {
    const records = await readRecords(Records, { ...deps, read: deps.writeIn });
    const writes = records.flatMap(({ change }) => change ?? []);
    let isUnannounced = false;
    try {
      const changes = await deps.announceChanges(writes);
      if (changes.length > 0) deps.logger.info('changes.announced', { changes: changes.length });
    } catch (fault) {
      isUnannounced = true;
      deps.logger.error('changes.not_announced', { writes: writes.length, ...faultField(fault) });
    }
    return {
      batchItemFailures: firstFailed(
        records,
        ({ change, isFailed = false }) => isFailed || (isUnannounced && change !== undefined),
      ),
    };
  };
