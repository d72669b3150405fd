import { type Delivery, deliveryId } from '../../core/delivery/delivery.ts';
import type { DeliveryResult } from '../../core/delivery/sending/settle-attempt.ts';
import type { Process } from './machine.ts';
import type { World } from './world.ts';

const MINUTE_MS = 60_000;

interface Judged {
  readonly world: World;
  readonly process: Process;
  readonly delivery: Delivery;
}

/**
 * Checks what followed from an attempt that was not confirmed. A process that cannot read the log
 * need not know what the log shows.
 */
export const judgeResult = (result: DeliveryResult, judged: Judged): void => {
  if (!('made' in result) || result.made === undefined) return;
  const { startedAt, outcome, nextAttemptAt } = result.made.attempt;
  const hasRead = !wentWrong(judged.process, 'deliveryLog.read', 'deliveryLog.confirmedSince');
  if (outcome.class === 'delivered' || !hasRead) return;
  const { world, delivery } = judged;
  const { deliveryLog, journal, settings } = world;
  const endsWindow = outcome.class === 'transient' && nextAttemptAt === undefined;
  if (deliveryLog.knewBefore(idOf(delivery), startedAt.getTime())) {
    const isRefused = outcome.class === 'fatal' && outcome.result.kind === 'answered';
    if (isRefused) journal.saw('confirmed delivery refused');
    const isKept = result.kind === 'pending' || result.kind === 'set-aside';
    if ((isRefused || endsWindow) && isKept) {
      journal.violated('A refused duplicate of a confirmed delivery changes more than the log.');
    }
    return;
  }
  // Attempts of a batch share an answer of the log, to the minute.
  const since = new Date(startedAt.getTime() - settings.windowMs + MINUTE_MS);
  // Receives can end without an attempt, or without its record.
  const halfOfWindow = new Date(startedAt.getTime() - settings.windowMs / 2);
  if (!endsWindow || !deliveryLog.attemptedBefore(delivery, halfOfWindow)) return;
  if (!deliveryLog.confirmsOthers(delivery, { since, until: startedAt })) return;
  journal.saw('backoff ended while others were confirmed');
  if (result.kind === 'pending') {
    journal.violated('An event whose window ends while others are confirmed is not set aside.');
  }
};

const idOf = ({ integration, event }: Delivery): string => deliveryId(integration, event.id);

const wentWrong = (process: Process, ...calls: string[]): boolean =>
  calls.some((call) => process.wentWrong.has(call));
