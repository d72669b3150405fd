import type { AnnounceChanges } from '../../../core/changes/announce-changes.ts';
import type { Change } from '../../../core/changes/change-resource.ts';
import type { IntegrationWrite } from '../../../core/changes/changes-between.ts';
import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import { faultField, type Reporting } from '../../runtime/reporting.ts';
import { keepUnreadable, type ReadRecord } from '../../runtime/stream-records.ts';

export interface AnnounceDeps extends Reporting {
  readonly announceChanges: AnnounceChanges;
  /** Whether what is announced is at fault: a repetition would fail again. */
  readonly isLasting: (fault: unknown) => boolean;
  readonly deadLetters: DeadLetters;
}

/**
 * Resolves to the first write that Lambda is to send again. Where a write itself is at fault, each
 * is announced by itself, in order, and those that fail become dead letters.
 */
export const announceWrites = async (
  records: readonly ReadRecord<IntegrationWrite>[],
  deps: AnnounceDeps,
): Promise<string | undefined> => {
  const [first, ...others] = records;
  if (first === undefined) return undefined;
  try {
    const changes = await deps.announceChanges(records.flatMap(({ change }) => change ?? []));
    report(changes, deps);
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
    const failed = await announceWrites([record], deps);
    if (failed !== undefined) return failed;
  }
  return undefined;
};

const report = (changes: readonly Change[], { logger, metrics }: Reporting): void => {
  if (changes.length > 0) logger.info('changes.announced', { changes: changes.length });
  const stopped = changes.filter(({ kind }) => kind === 'busy' || kind === 'failed');
  metrics.count('IntegrationsStopped', stopped.length);
};
