import type { DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import type { AnnounceChanges } from '../../../core/changes/announce-changes.ts';
import type { IntegrationWrite } from '../../../core/changes/changes-between.ts';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import { faultField, type Logger } from '../../runtime/reporting.ts';
import {
  firstFailed,
  keepUnreadable,
  type ReadRecord,
  readRecords,
} from '../runtime/stream-records.ts';

interface Deps {
  /** Throws `UnreadableChange`. */
  readonly writeIn: (record: unknown) => IntegrationWrite;
  readonly announceChanges: AnnounceChanges;
  /** Whether what is announced is at fault: a repetition would fail again. */
  readonly isLasting: (fault: unknown) => boolean;
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
    const failed = await announce(
      records.filter(({ change }) => change !== undefined),
      deps,
    );
    return {
      batchItemFailures: firstFailed(
        records,
        ({ isFailed = false, sequenceNumber }) => isFailed || sequenceNumber === failed,
      ),
    };
  };

/**
 * Resolves to the first write that is to come again. Where a write itself is at fault, each is
 * announced by itself, in order, and those that fail are kept as dead letters: no other waits for
 * them.
 */
const announce = async (
  records: readonly ReadRecord<IntegrationWrite>[],
  deps: Deps,
): Promise<string | undefined> => {
  const [first, ...others] = records;
  if (first === undefined) return undefined;
  try {
    const changes = await deps.announceChanges(records.flatMap(({ change }) => change ?? []));
    if (changes.length > 0) deps.logger.info('changes.announced', { changes: changes.length });
    return undefined;
  } catch (fault) {
    if (!deps.isLasting(fault)) {
      const fields = { writes: records.length, ...faultField(fault) };
      deps.logger.error('changes.not_announced', fields);
      return first.sequenceNumber;
    }
    if (others.length === 0) {
      const { isFailed } = await keepUnreadable(first.record, fault, deps);
      return isFailed ? first.sequenceNumber : undefined;
    }
  }
  for (const record of records) {
    const failed = await announce([record], deps);
    if (failed !== undefined) return failed;
  }
  return undefined;
};
