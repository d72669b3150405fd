import type { IntegrationKey } from '../../integration/integration.ts';

/**
 * Places in which an integration's deliveries back off in the deliveries queue, such as `backoff7`.
 * A slot's value is when the slot is free again, in milliseconds since 1970; a slot without a value
 * is free.
 */
export type Slots = Readonly<Record<string, number>>;

/** Writes the slots of integrations. */
export interface SlotStore {
  /**
   * Takes a slot until an instant if the slot is free at `now`; instants in milliseconds since
   * 1970. Resolves to `taken`, or else to all slots as they are.
   */
  takeSlot(
    integration: IntegrationKey,
    taking: { slot: string; now: number; until: number },
  ): Promise<'taken' | Slots>;
}

/** How many deliveries of one integration may back off in the deliveries queue. */
export interface BackoffLimits {
  /** While the endpoint confirms other deliveries. */
  readonly most: number;
  /** While the endpoint confirms nothing: the probes. At most `most`. */
  readonly probes: number;
}

/** Resolves to whether a slot was taken. */
export type TakeSlot = (
  integration: IntegrationKey,
  taking: { limit: number; now: Date; until: Date },
) => Promise<boolean>;

/** Others take slots at the same time: after so many tries a slot counts as not to be had. */
const MAX_TRIES = 10;

/**
 * Takes one of an integration's first `limit` slots until a delivery's message becomes visible, so
 * that the messages of an integration that wait by visibility timeout are never more than its
 * slots.
 *
 * A slot is free again at its instant, by the clock alone. So a process that dies with a slot taken
 * leaves nothing to be cleared away.
 */
export const buildTakeSlot =
  (ports: { slots: SlotStore; random: () => number }): TakeSlot =>
  async (integration, { limit, now, until }) => {
    let slots: Slots = {};
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const free = freeSlots(slots, { limit, nowMs: now.getTime() });
      const slot = free[Math.floor(ports.random() * free.length)];
      if (slot === undefined) return false;
      const taking = { slot, now: now.getTime(), until: until.getTime() };
      const taken = await ports.slots.takeSlot(integration, taking);
      if (taken === 'taken') return true;
      slots = taken;
    }
    return false;
  };

const freeSlots = (slots: Slots, { limit, nowMs }: { limit: number; nowMs: number }): string[] =>
  Array.from({ length: limit }, (_, number) => `backoff${number}`).filter(
    (slot) => (slots[slot] ?? 0) <= nowMs,
  );
