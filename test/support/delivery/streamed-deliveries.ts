import type { StreamedDelivery } from '../../../core/delivery/search/delivery-index.ts';

/** Of an event at noon, about `msg_1`, of the integration `0123456789Ab` of `acme`. */
export const aStreamedDelivery = (overrides: Partial<StreamedDelivery> = {}): StreamedDelivery => ({
  account: 'acme',
  integration: '0123456789Ab',
  subject: 'msg_1',
  event: { id: 'evt_01JD', occurredAt: '2026-11-20T12:00:00.000Z' },
  expiresAt: Date.parse('2026-12-20T12:00:00.000Z') / 1_000,
  position: '1',
  ...overrides,
});
