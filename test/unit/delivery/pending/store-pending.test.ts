import { describe, expect, it } from 'vitest';
import { buildStorePending } from '../../../../core/delivery/pending/pending-events.ts';
import type { ReplayRequests } from '../../../../core/delivery/pending/replay-requests.ts';
import type { Integration, IntegrationReader } from '../../../../core/integration/integration.ts';
import { InMemoryPendingEvents } from '../../../support/delivery/pending/in-memory-pending-events.ts';
import { InMemoryReplayRequests } from '../../../support/delivery/pending/in-memory-replay-requests.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { A_MESSAGE, aDelivery } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { untouchable } from '../../../support/untouchable.ts';

const FAILED = troubled('failed');
const DELIVERY = aDelivery({ priorAttempts: 3 });

const createStorePending = (find: IntegrationReader['find']) => {
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

  it('looks at the integration only when the event is stored', async () => {
    let storedWhenLookedAt: unknown;
    const { storePending, pending } = createStorePending(async () => {
      storedWhenLookedAt = pending();
      return FAILED;
    });
    await storePending(DELIVERY, A_MESSAGE);
    expect(storedWhenLookedAt).toEqual([DELIVERY]);
  });

  it('looks for the integration by account and id', async () => {
    const asked: string[][] = [];
    const { storePending } = createStorePending(async (...key) => {
      asked.push(key);
      return FAILED;
    });
    await storePending(DELIVERY, A_MESSAGE);
    expect(asked).toEqual([['acme', '0123456789Ab']]);
  });

  it('fails with the event stored when the integration cannot be looked at', async () => {
    const { storePending, pending } = createStorePending(() =>
      Promise.reject(new Error('throttled')),
    );
    await expect(storePending(DELIVERY, A_MESSAGE)).rejects.toThrow('throttled');
    expect(pending()).toEqual([DELIVERY]);
  });

  it('fails when the event cannot be stored', async () => {
    const pendingEvents = new InMemoryPendingEvents();
    const storePending = buildStorePending({
      pendingEvents: Object.assign(pendingEvents, { put: () => Promise.reject(new Error('full')) }),
      integrations: untouchable<IntegrationReader>('the integrations'),
      replays: untouchable<ReplayRequests>('the replay requests'),
    });
    await expect(storePending(DELIVERY, A_MESSAGE)).rejects.toThrow('full');
  });

  it('fails when the replay that is owed cannot be asked for', async () => {
    const { storePending, replays } = createStorePending(finding(anIntegration()));
    Object.assign(replays, { request: () => Promise.reject(new Error('throttled')) });
    await expect(storePending(DELIVERY, A_MESSAGE)).rejects.toThrow('throttled');
  });
});

describe('a delivery that backed off in the slow lane', () => {
  it('is stored without that: the replay of it is no probe', async () => {
    const { storePending, pending } = createStorePending(finding(FAILED));
    await storePending({ ...DELIVERY, backsOff: true }, A_MESSAGE);
    expect(pending()).toEqual([DELIVERY]);
  });
});
