import type { SQSRecord } from 'aws-lambda';
import type { DeliveryResult } from '../../core/delivery/attempt/deliver-webhook.ts';
import type { Logger } from '../_runtime/logger.ts';

interface VisibilityChange {
  readonly receiptHandle: string;
  /** From now until the queue hands the message out again. */
  readonly delayMs: number;
}

export interface MessageVisibility {
  /** Resolves to the changes that were not made. Never throws. */
  change(
    changes: readonly VisibilityChange[],
  ): Promise<readonly (VisibilityChange & { readonly code: string })[]>;
}

/** When the message of a result is to come back; undefined when the queue may delete it. */
export const comesBackAt = (result: DeliveryResult, now: Date): Date | undefined => {
  if (result.kind === 'backing-off') return result.nextAttemptAt;
  return result.kind === 'outdated' ? now : undefined;
};

/**
 * Has messages come back when they should, however long the slowest of their batch has taken. A
 * message whose visibility cannot be changed comes back when its visibility runs out: at another
 * time, and not lost.
 */
export const changeVisibilities = async (
  dueAt: ReadonlyMap<SQSRecord, Date>,
  { visibility, logger, now }: { visibility: MessageVisibility; logger: Logger; now: () => Date },
): Promise<void> => {
  if (dueAt.size === 0) return;
  const nowMs = now().getTime();
  const changes = [...dueAt].map(([{ messageId, receiptHandle }, due]) => ({
    messageId,
    receiptHandle,
    delayMs: Math.max(0, due.getTime() - nowMs),
  }));
  const failed = await visibility.change(changes);
  for (const { receiptHandle, delayMs, code } of failed) {
    const change = changes.find((one) => one.receiptHandle === receiptHandle);
    logger.warn('visibility.not_changed', { messageId: change?.messageId, delayMs, code });
  }
};
