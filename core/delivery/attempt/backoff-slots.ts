import type { BackoffSlots, Integration } from '../../integration/integration.ts';

/** Writes the backoff slots of integrations. */
export interface BackoffSlotStore {
  /**
   * Takes a slot until an instant if the slot is free at `now`; instants in milliseconds since
   * 1970. Resolves to `taken`, or else to all slots as they are; undefined for a deleted
   * integration.
   */
  takeSlot(
    integration: Pick<Integration, 'account' | 'id'>,
    taking: { slot: number; now: number; until: number },
  ): Promise<'taken' | BackoffSlots | undefined>;
}

/** How many deliveries of one integration may back off in the deliveries queue. */
export interface BackoffLimits {
  /** While the endpoint confirms other deliveries. */
  readonly most: number;
  /** While the endpoint confirms nothing: the probes. At most `most`. */
  readonly probes: number;
}

export type TakeBackoffSlot = (
  integration: Integration,
  taking: { limit: number; now: Date; until: Date },
) => Promise<boolean>;

/** Others take slots at the same time: after so many tries a slot counts as not to be had. */
const MAX_TRIES = 10;

/**
 * Takes one of an integration's first `limit` backoff slots. Resolves to whether a slot was free.
 *
 * A slot is free again when the delivery's message becomes visible, by the clock alone. So a
 * process that dies with a slot taken leaves nothing to be cleared away, and the messages of an
 * integration that wait by visibility timeout are never more than its slots.
 */
export const buildTakeBackoffSlot =
  (ports: { slots: BackoffSlotStore; random: () => number }): TakeBackoffSlot =>
  async (integration, { limit, now, until }) => {
    let slots: BackoffSlots | undefined = integration.backoffSlots;
    for (let tries = 0; tries < MAX_TRIES && slots !== undefined; tries += 1) {
      const free = freeSlots(slots, limit, now.getTime());
      const slot = free[Math.floor(ports.random() * free.length)];
      if (slot === undefined) return false;
      const taken = await ports.slots.takeSlot(integration, {
        slot,
        now: now.getTime(),
        until: until.getTime(),
      });
      if (taken === 'taken') return true;
      slots = taken;
    }
    return false;
  };

const freeSlots = (slots: BackoffSlots, limit: number, nowMs: number): number[] =>
  Array.from({ length: limit }, (_, slot) => slot).filter((slot) => (slots[slot] ?? 0) <= nowMs);
