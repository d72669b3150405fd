import {
  canDeliver,
  type Integration,
  type IntegrationReader,
  keepsEvents,
} from '../../integration/integration.ts';
import type { Delivery } from '../delivery.ts';
import type { ReplayRequests } from './replay-requests.ts';

export interface PendingStore {
  /** Under a new version. Only a `manual` delivery replaces a `manual` one. Durable when it resolves. */
  put(delivery: Delivery, options: { messageId: string; dueAt?: Date | undefined }): Promise<void>;
  /** Removes the delivery, unless another message than this one stored it last. */
  removeOf(delivery: Delivery, options: { messageId: string }): Promise<void>;
}

export interface ReminderNotes {
  /** Sets `remindedAt`, in any epoch, unless it was set since the integration was read. */
  noteReminder(read: Integration, at: Date): Promise<void>;
}

export type StorePending = (delivery: Delivery, options: { messageId: string }) => Promise<void>;

/**
 * Stores a delivery, then reads its integration again. If it can take deliveries by then, the
 * replay at the end of its trouble may have run too early: requests another. If it is deleted,
 * removes the delivery. If it keeps events while inactive and a reminder is due, notes that: the
 * write asks for the e-mail. If the process dies in between, the message is received again.
 */
export const buildStorePending =
  (ports: {
    pendingEvents: PendingStore;
    integrations: Pick<IntegrationReader, 'find'>;
    replays: ReplayRequests;
    states: ReminderNotes;
    now: () => Date;
    retryIntervalMs: number;
  }): StorePending =>
  async (delivery, { messageId }) => {
    await ports.pendingEvents.put(delivery, { messageId });
    const { account, integration: id } = delivery;
    const integration = await ports.integrations.find(account, id);
    if (integration === undefined) await ports.pendingEvents.removeOf(delivery, { messageId });
    else if (canDeliver(integration)) {
      await ports.replays.request({ account, id }, { onlyDue: true });
    } else if (keepsEvents(integration)) {
      const now = ports.now();
      if (isReminderDue(integration, now, ports.retryIntervalMs)) {
        await ports.states.noteReminder(integration, now);
      }
    }
  };

/** Between two e-mails that say the same of an integration. */
export const HOURS_BETWEEN_REMINDERS = 24;

/** The first reminder comes an hour after the deactivation: planned maintenance is often shorter. */
const isReminderDue = (
  { createdAt, inactiveSince = createdAt, remindedAt }: Integration,
  now: Date,
  hourMs: number,
): boolean => {
  const isPast = (at: string, hours: number) => Date.parse(at) + hours * hourMs <= now.getTime();
  return (
    isPast(inactiveSince, 1) &&
    (remindedAt === undefined || isPast(remindedAt, HOURS_BETWEEN_REMINDERS))
  );
};

/** Stored apart from the pending events, and attempted only by a caller's resend or recovery. */
export interface SetAsideEvents {
  /** Resolves to whether the delivery was not set aside already. Durable when it resolves. */
  add(delivery: Delivery): Promise<boolean>;
  /** Strongly consistent. */
  has(delivery: Delivery): Promise<boolean>;
  /** Resolves to whether the delivery was set aside. */
  remove(delivery: Delivery): Promise<boolean>;
}
