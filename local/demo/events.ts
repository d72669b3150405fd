import { newEventId } from '../../adapters/crypto/random-ids.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import { EVENT_CATALOGUE } from '../../core/event/event-catalogue.ts';
import { EVENT_TYPES } from '../../core/event/event-types.ts';

/** One event of each type, occurred at `now`, with the sample data of its type. */
export const demoEvents = (account: string, now: Date): PlatformEvent[] =>
  EVENT_TYPES.map((type) => ({
    id: newEventId(),
    type,
    account,
    occurredAt: now.toISOString(),
    data: EVENT_CATALOGUE[type].sample,
  }));
