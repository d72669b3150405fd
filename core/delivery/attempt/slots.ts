import type { Integration, Slots } from '../../integration/integration.ts';

/** Writes the slots of integrations. */
export interface SlotStore {
  /**
   * Takes a slot until an instant if the slot is free at `now`; instants in milliseconds since
   * 1970. Resolves to `taken`, or else to all slots as they are; undefined for a deleted
   * integration.
   */
  takeSlot(
    integration: Pick<Integration, 'account' | 'id'>,
    taking: { slot: string; now: number; until: number },
  ): Promise<'taken' | Slots | undefined>;
  /** Frees a slot. Does nothing to a deleted integration. */
  freeSlot(integration: Pick<Integration, 'account' | 'id'>, slot: string): Promise<void>;
}

/** How many deliveries of one integration may back off in the deliveries queue. */
export interface BackoffLimits {
  /** While the endpoint confirms other deliveries. */
  readonly most: number;
  /** While the endpoint confirms nothing: the probes. At most `most`. */
  readonly probes: number;
}

/** `backoff`: to wait in the queue. `attempt`: to be attempted in the slow lane. */
type SlotKind = 'backoff' | 'attempt';

export type TakeSlot = (
  integration: Integration,
  taking: { kind: SlotKind; limit: number; now: Date; until: Date },
) => Promise<string | undefined>;

/** Others take slots at the same time: after so many tries a slot counts as not to be had. */
const MAX_TRIES = 10;

/**
 * Takes one of an integration's first `limit` slots of a kind. Resolves to the slot; undefined when
 * no slot was free.
 *
 * A slot is free again at its instant, by the clock alone. So a process that dies with a slot taken
 * leaves nothing to be cleared away. A backoff slot is taken until the delivery's message becomes
 * visible: the messages of an integration that wait by visibility timeout are never more than its
 * slots.
 */
export const buildTakeSlot =
  (ports: { slots: SlotStore; random: () => number }): TakeSlot =>
  async (integration, { kind, limit, now, until }) => {
    let slots: Slots | undefined = integration.slots;
    for (let tries = 0; tries < MAX_TRIES && slots !== undefined; tries += 1) {
      const free = freeSlots(slots, { kind, limit, nowMs: now.getTime() });
      const slot = free[Math.floor(ports.random() * free.length)];
      if (slot === undefined) return undefined;
      const taking = { slot, now: now.getTime(), until: until.getTime() };
      const taken = await ports.slots.takeSlot(integration, taking);
      if (taken === 'taken') return slot;
      slots = taken;
    }
    return undefined;
  };

const freeSlots = (
  slots: Slots,
  { kind, limit, nowMs }: { kind: SlotKind; limit: number; nowMs: number },
): string[] =>
  Array.from({ length: limit }, (_, number) => `${kind}${number}`).filter(
    (slot) => (slots[slot] ?? 0) <= nowMs,
  );
