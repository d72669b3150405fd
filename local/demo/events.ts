import { randomUUID } from 'node:crypto';
import type { PlatformEvent } from '../../core/event/event.ts';
import { EVENT_CATALOGUE, EVENT_TYPES } from '../../core/event/event-types.ts';

export const newEventId = (): string => `evt_${randomUUID().replaceAll('-', '')}`;

/** One event of each type, as if it had just happened. */
export const demoEvents = (account: string, now: Date): PlatformEvent[] =>
  EVENT_TYPES.map((type) => ({
    id: newEventId(),
    type,
    account,
    occurredAt: now.toISOString(),
    data: EVENT_CATALOGUE[type].sample,
  }));
