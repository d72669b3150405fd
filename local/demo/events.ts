import { randomUUID } from 'node:crypto';
import type { PlatformEvent } from '../../core/events/event.ts';
import { EVENT_DATA_SAMPLES } from '../../core/events/event-data-samples.ts';
import { EVENT_TYPES } from '../../core/events/event-type.ts';

export const newEventId = (): string => `evt_${randomUUID().replaceAll('-', '')}`;

/** One event of each type, as if it had just happened. */
export const demoEvents = (account: string, now: Date): PlatformEvent[] =>
  EVENT_TYPES.map((type) => ({
    id: newEventId(),
    type,
    account,
    occurredAt: now.toISOString(),
    data: EVENT_DATA_SAMPLES[type],
  }));
