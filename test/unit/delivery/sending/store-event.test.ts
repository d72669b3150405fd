import { describe, expect, it } from 'vitest';
import { createDelivery } from '../../../../core/delivery/route-event.ts';
import { buildSetAside, buildStoreWaiting } from '../../../../core/delivery/sending/store-event.ts';
import { anEvent } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const READ = anIntegration({ epoch: 3 });
const DELIVERY = createDelivery(anEvent(), READ.id);

describe('storing a delivery until its next attempt', () => {
  const lastAttemptAt = '2026-11-20T12:00:00.000Z';

  /** Stores it while so many epochs end, one with each attempt to begin a trouble. */
  const storedWhile = async (epochs: number) => {
    const begun: number[] = [];
    let epoch = 3;
    const storeWaiting = buildStoreWaiting({
      integrations: { find: async () => ({ ...READ, epoch }) },
      pendingEvents: { put: async () => {}, removeOf: async () => {} },
      troubles: {
        begin: async (integration) => {
          begun.push(integration.epoch);
          if (begun.length <= epochs) epoch += 1;
          return begun.length === 1 || integration.epoch === epoch;
        },
      },
    });
    const isStored = await storeWaiting(DELIVERY, READ, {
      latest: { lastAttemptAt },
      messageId: 'message_1',
      dueAt: new Date(lastAttemptAt),
      inTrouble: false,
    });
    return { isStored, begun };
  };

  it('makes the integration wait again if its epoch ended meanwhile', async () => {
    expect(await storedWhile(1)).toEqual({ isStored: true, begun: [3, 4] });
    expect(await storedWhile(5)).toEqual({ isStored: true, begun: [3, 4, 5, 6, 7, 8] });
  });

  it('fails, for another receive of the message, if epochs do not stop ending', async () => {
    await expect(storedWhile(6)).rejects.toThrow('end too fast');
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
