import type { DeliveryFilter } from '../../core/delivery/delivery-log.ts';
import type { OutcomeClass } from '../../core/delivery/outcome.ts';
import type { EventType } from '../../core/events/event-type.ts';

/** What an item of table DeliveryLog must be to be read, with what its placeholders stand for. */
export interface Condition {
  readonly text: string;
  readonly names?: Readonly<Record<`#${string}`, string>>;
  readonly values?: Readonly<Record<`:${string}`, unknown>>;
}

/** DynamoDB deletes within days what has expired, not at once. */
export const isKept = (now: Date): Condition => ({
  text: 'expiresAt > :now',
  values: { ':now': Math.floor(now.getTime() / 1_000) },
});

const ARRIVED: Condition = { text: 'attribute_exists(deliveredAt)' };

export const DID_NOT_ARRIVE: Condition = { text: 'attribute_not_exists(deliveredAt)' };

/** Of the latest attempt: a delivery that waits has none yet. */
export const IS_NO_TEST: Condition = {
  text: '(attribute_not_exists(latestAttempt) OR latestAttempt.#trigger <> :test)',
  names: { '#trigger': 'trigger' },
  values: { ':test': 'test' },
};

const lastCameTo = (outcome: OutcomeClass): Condition => ({
  text: 'latestAttempt.#outcome = :outcome',
  names: { '#outcome': 'outcome' },
  values: { ':outcome': outcome },
});

const isOf = (type: EventType): Condition => ({
  text: '#reference.#type = :type',
  names: { '#reference': 'reference', '#type': 'type' },
  values: { ':type': type },
});

/** But for its times, which are in the key. */
export const conditionsOf = ({ outcome, eventType }: DeliveryFilter): readonly Condition[] => [
  ...(outcome === 'delivered' ? [ARRIVED] : []),
  ...(outcome !== undefined && outcome !== 'delivered'
    ? [DID_NOT_ARRIVE, lastCameTo(outcome)]
    : []),
  ...(eventType === undefined ? [] : [isOf(eventType)]),
];

/** Of sort keys: both ends are in it. */
export const isBetween = (from: string, to: string): Condition => ({
  text: 'entry BETWEEN :from AND :to',
  values: { ':from': from, ':to': to },
});

export const beginsWith = (prefix: string): Condition => ({
  text: 'begins_with(entry, :prefix)',
  values: { ':prefix': prefix },
});
