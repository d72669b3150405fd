import type { RecoverDeliveries } from '../../core/delivery/recover-deliveries.ts';
import type { ReplayPending } from '../../core/delivery/replay-pending.ts';
import type { Reporting } from '../_runtime/report-attempt.ts';
import type { ReplayMessage } from './replay-message.ts';

export interface Replaying {
  readonly replayPending: ReplayPending;
  readonly recoverDeliveries: RecoverDeliveries;
}

/** Does what a message asks for, the replay or the recovery, and tells what came of it. */
export const createReplay =
  ({ replayPending, recoverDeliveries }: Replaying, { logger, metrics }: Reporting) =>
  async ({ account, id, recovery }: ReplayMessage, hasTime: () => boolean): Promise<void> => {
    const integration = id;
    if (recovery === undefined) {
      const { kind, replayed } = await replayPending({ account, id }, hasTime);
      logger.info('replay.ended', { account, integration, result: kind, replayed });
      metrics.count('EventsReplayed', replayed);
      return;
    }
    const { kind, ...counts } = await recoverDeliveries({ account, id }, recovery, { hasTime });
    const since = recovery.since.toISOString();
    logger.info('recovery.ended', { account, integration, since, result: kind, ...counts });
    metrics.count('EventsReplayed', counts.replayed + counts.resent);
  };
