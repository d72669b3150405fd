import type { DeliveryLog } from '../../../core/delivery/delivery-log.ts';

/** The log of an endpoint that confirms every delivery at once. */
export const CONFIRMING: Pick<DeliveryLog, 'read'> = {
  read: async (deliveries) =>
    deliveries.map(() => ({
      logged: 'delivered',
      deliveredAt: '2026-11-20T12:00:00.000Z',
      latestAttempt: {
        startedAt: '2026-11-20T12:00:00.000Z',
        outcome: 'delivered',
        number: 1,
        backsOff: false,
      },
    })),
};
