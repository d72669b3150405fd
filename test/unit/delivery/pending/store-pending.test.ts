import { describe, expect, it } from 'vitest';
import { buildStorePending } from '../../../../core/delivery/pending/pending-events.ts';
import type { Integration, IntegrationStore } from '../../../../core/integration/integration.ts';
import { InMemoryPendingEvents } from '../../../support/delivery/pending/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../../../support/delivery/pending/in-memory-replay-requests.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../../support/dying-process.ts';
import { A_MESSAGE, aDelivery } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';

const FAILED = troubled('failed');
const DELIVERY = aDelivery({ priorAttempts: 3 });

const createStorePending = (find: IntegrationStore['find']) => {
  const pendingEvents = new InMemoryPendingEvents();
  const replays = new InMemoryReplayRequests();
  const storePending = buildStorePending({ pendingEvents, integrations: { find }, replays });
  return {
    storePending,
    pendingEvents,
    replays,
    pending: () => pendingEvents.of(DELIVERY.integration),
  };
};

const finding = (integration: Integration | undefined) => async () => integration;

describe('storing a delivery as pending', () => {
  it.each([
    ['failed', FAILED],
    ['busy', troubled('busy')],
    ['inactive', anIntegration({ active: false })],
  ])('stores it and no more while the integration is %s', async (_state, integration) => {
    const { storePending, pending, replays } = createStorePending(finding(integration));
    await storePending(DELIVERY, A_MESSAGE);
    expect(pending()).toEqual([DELIVERY]);
    expect(replays.requested).toEqual([]);
  });

  it('asks for another replay when the integration is out of trouble meanwhile', async () => {
    const { storePending, pending, replays } = createStorePending(finding(anIntegration()));
    await storePending(DELIVERY, A_MESSAGE);
    expect(pending()).toEqual([DELIVERY]);
    expect(replays.requested).toEqual([
      { account: 'acme', id: DELIVERY.integration, onlyDue: true },
    ]);
  });

  it('keeps nothing of an integration that was deleted meanwhile', async () => {
    const { storePending, pending, replays } = createStorePending(finding(undefined));
    await storePending(DELIVERY, A_MESSAGE);
    expect(pending()).toEqual([]);
    expect(replays.requested).toEqual([]);
  });

  it.each([0, 1, 2, 3])(
    'stores it, looks again, then asks for the replay: %i calls',
    async (calls) => {
      const through = dyingAfter(calls);
      const pendingEvents = new InMemoryPendingEvents();
      const replays = new InMemoryReplayRequests();
      const storing = buildStorePending({
        pendingEvents: through(pendingEvents),
        integrations: through(new InMemoryIntegrations(anIntegration())),
        replays: through(replays),
      })(DELIVERY, A_MESSAGE);
      const hasDied = await storing.then(
        () => false,
        () => true,
      );
      expect(hasDied).toBe(calls < 3);
      expect(pendingEvents.of(DELIVERY.integration)).toEqual(calls === 0 ? [] : [DELIVERY]);
      expect(replays.requested).toHaveLength(calls < 3 ? 0 : 1);
    },
  );
});

describe('a delivery that backed off in the slow lane', () => {
  it('is stored without that: the replay of it is no probe', async () => {
    const { storePending, pending } = createStorePending(finding(FAILED));
    await storePending({ ...DELIVERY, backsOff: true }, A_MESSAGE);
    expect(pending()).toEqual([DELIVERY]);
  });
});
