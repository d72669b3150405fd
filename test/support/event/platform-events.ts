import type { Delivery, EventReference } from '../../../core/delivery/delivery.ts';
import type { PlatformEvent } from '../../../core/event/event.ts';
import { EVENT_CATALOGUE } from '../../../core/event/event-catalogue.ts';

export const anEvent = (overrides: Partial<PlatformEvent> = {}): PlatformEvent => ({
  id: 'evt_01JD',
  type: 'message.received',
  account: 'acme',
  occurredAt: '2026-11-20T12:00:00.000Z',
  data: EVENT_CATALOGUE[overrides.type ?? 'message.received'].sample,
  ...overrides,
});

/** The text of a message of the events queue; members set to undefined are left out. */
export const eventText = (overrides: Record<string, unknown> = {}): string =>
  JSON.stringify({ ...anEvent(), ...overrides });

export const anEventReference = (id: string): EventReference => ({
  id,
  type: 'message.received',
  occurredAt: '2026-11-20T12:00:00.000Z',
});

/** The message of a queue that a delivery came in. */
export const A_MESSAGE = { messageId: 'message-1' };

export const aDelivery = (overrides: Partial<Delivery> = {}): Delivery => ({
  account: 'acme',
  integration: '0123456789Ab',
  event: anEventReference('evt_01JD'),
  body: '{"data":{"body":"Hello"}}',
  trigger: 'event',
  priorAttempts: 0,
  ...overrides,
});
