import { describe, expect, it } from 'vitest';
import { createDelivery } from '../../../../core/delivery/route-event.ts';
import { buildSetAside, buildStoreWaiting } from '../../../../core/delivery/sending/store-event.ts';
import { anEvent } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const READ = anIntegration({ epoch: 3 });
const DELIVERY = createDelivery(anEvent(), READ.id);

describe('storing a delivery until its next attempt', () => {
  it('makes the integration wait again if its epoch ended meanwhile', async () => {
    const epochs: number[] = [];
    const storeWaiting = buildStoreWaiting({
      integrations: { find: async () => ({ ...READ, epoch: 4 }) },
      pendingEvents: { put: async () => {}, removeOf: async () => {} },
      troubles: {
        begin: async ({ epoch }) => {
          epochs.push(epoch);
          return true;
        },
      },
    });
    const lastAttemptAt = '2026-11-20T12:00:00.000Z';
    const stored = await storeWaiting(DELIVERY, READ, {
      latest: { lastAttemptAt },
      messageId: 'message_1',
      dueAt: new Date(lastAttemptAt),
      inTrouble: false,
    });
    expect([stored, epochs]).toEqual([true, [3, 4]]);
  });
});

describe('setting a delivery aside', () => {
  it('counts it once if two workers do it at the same time', async () => {
    const counted: number[] = [];
    const results = [true, false];
    const setAside = buildSetAside({
      integrations: { find: async () => READ },
      setAsideEvents: {
        add: async () => results.shift() === true,
        has: async () => false,
        remove: async () => false,
      },
      states: {
        countSetAside: async (_integration, by) => {
          counted.push(by);
        },
      },
    });
    await Promise.all([setAside(DELIVERY), setAside(DELIVERY)]);
    expect(counted).toEqual([1]);
  });
});
