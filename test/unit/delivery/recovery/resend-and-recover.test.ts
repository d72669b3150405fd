import { describe, expect, it } from 'vitest';
import { newTestEventId } from '../../../../adapters/crypto/random-ids.ts';
import { type Attempt, classify } from '../../../../core/delivery/attempt.ts';
import { canDeliver } from '../../../../core/integration/integration.ts';
import {
  HALF_PAST_TWELVE,
  OF_INTEGRATION,
  SCHEDULE,
  type Stored,
  testAndRecoverOf,
  testAndRecoverParts,
} from '../../../support/delivery/recovery/test-and-recover-parts.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../../support/dying-process.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { ADA, anIntegration, byAdaAt } from '../../../support/integration/integrations.ts';
import { pointersOf, refusalOf } from '../../../support/refusals.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');
const SINCE_NOON = { since: NOON.toISOString() };
const BY_ADA = { ...OF_INTEGRATION, by: ADA };
const REQUESTED = { ...OF_INTEGRATION, recovery: { since: NOON, until: HALF_PAST_TWELVE } };

const aRequest = ({ stored = anIntegration() as Stored } = {}) => {
  const parts = testAndRecoverParts({ stored });
  return { ...parts, parts, ...testAndRecoverOf(parts) };
};

describe('asking for a recovery', () => {
  it('has everything sent again that occurred from then until now', async () => {
    const { requestRecovery, replays, integrations } = aRequest();
    expect(await requestRecovery(BY_ADA, SINCE_NOON)).toEqual({
      since: NOON,
      requestedAt: HALF_PAST_TWELVE,
      endedTrouble: false,
    });
    expect(replays.requested).toEqual([REQUESTED]);
    expect(integrations.all).toEqual([anIntegration()]);
  });

  it.each(['busy', 'failed'] as const)(
    'ends first that the integration is %s, and asks once for all',
    async (kind) => {
      const { requestRecovery, replays, integrations, schedules } = aRequest({
        stored: troubled(kind),
      });
      expect(await requestRecovery(BY_ADA, SINCE_NOON)).toMatchObject({
        endedTrouble: true,
      });
      const changedBy = byAdaAt(HALF_PAST_TWELVE.toISOString());
      expect(integrations.all).toEqual([{ ...troubled('waiting'), changedBy }]);
      expect(replays.requested).toEqual([REQUESTED]);
      expect(schedules.all).toEqual([SCHEDULE]);
    },
  );

  it('leaves a trouble alone that began after it read the integration', async () => {
    const later = { ...troubled('failed'), epoch: 5 };
    const { requestRecovery, integrations, replays } = aRequest({ stored: later });
    integrations.find = async () => troubled('failed');
    expect(await requestRecovery(BY_ADA, SINCE_NOON)).toMatchObject({
      endedTrouble: false,
    });
    expect(integrations.all).toEqual([later]);
    expect(replays.requested).toEqual([REQUESTED]);
  });

  it.each([
    ['2026-11-20T13:00:00+01:00', NOON],
    ['2026-11-20T12:30:00Z', HALF_PAST_TWELVE],
    ['1970-01-01T00:00:00Z', new Date(0)],
  ])('reads any instant of RFC 3339 up to now: %s', async (since, instant) => {
    const { requestRecovery } = aRequest();
    expect(await requestRecovery(BY_ADA, { since })).toMatchObject({ since: instant });
  });

  it.each([
    ['2026-11-20T12:30:00.001Z', 'must not be in the future'],
    ['0000-01-01T00:00:00+14:00', 'must not be before 1970'],
    ['2026-11-20', 'must be an RFC 3339 instant'],
    ['2026-02-30T12:00:00Z', 'must be an RFC 3339 instant'],
    [1_795_176_000, 'must be an RFC 3339 instant'],
    [undefined, 'must be an RFC 3339 instant'],
  ])('refuses since when, in words: %s', async (since, detail) => {
    const { requestRecovery, replays } = aRequest({ stored: troubled('failed') });
    const refusal = await refusalOf(() => requestRecovery(BY_ADA, { since }));
    expect(refusal).toMatchObject({ kind: 'validation', faults: [{ pointer: '/since', detail }] });
    expect(replays.requested).toEqual([]);
  });

  it('refuses a future instant and an unknown member together', async () => {
    const { requestRecovery } = aRequest();
    const body = { since: '2026-11-20T12:30:00.001Z', colour: 'red' };
    const refusal = await refusalOf(() => requestRecovery(BY_ADA, body));
    expect(pointersOf(refusal).toSorted()).toEqual(['/colour', '/since']);
  });

  it('refuses a member that it does not know, and ignores those of JSON-LD', async () => {
    const { requestRecovery } = aRequest();
    const refusal = await refusalOf(() =>
      requestRecovery(BY_ADA, { ...SINCE_NOON, until: '2026-11-20T13:00:00Z' }),
    );
    expect(pointersOf(refusal)).toEqual(['/until']);
    await requestRecovery(BY_ADA, { ...SINCE_NOON, '@type': 'Recovery' });
  });

  it.each([
    ['inactive', { ...troubled('failed'), active: false }, 'integration-inactive'],
    ['deleted', 'deleted' as const, 'not-found'],
    ['another account’s', anIntegration({ account: 'other' }), 'not-found'],
  ])(
    'is refused for an integration that is %s, and changes nothing',
    async (_case, stored, kind) => {
      const { requestRecovery, integrations, replays } = aRequest({ stored });
      const refusal = await refusalOf(() => requestRecovery(BY_ADA, SINCE_NOON));
      expect(refusal.kind).toBe(kind);
      expect(integrations.all).toEqual(stored === 'deleted' ? [] : [stored]);
      expect(replays.requested).toEqual([]);
    },
  );

  it.each([
    [0, { isOver: false, requested: [], schedules: [SCHEDULE] }],
    [1, { isOver: false, requested: [], schedules: [SCHEDULE] }],
    // The schedule asks for the replay of what is pending.
    [2, { isOver: true, requested: [], schedules: [SCHEDULE] }],
    [3, { isOver: true, requested: [REQUESTED], schedules: [SCHEDULE] }],
  ])('leaves who replays what is pending when its process dies: %i calls', async (count, left) => {
    const { parts, integrations, replays, schedules } = aRequest({ stored: troubled('failed') });
    const { requestRecovery } = testAndRecoverOf(parts, { through: dyingAfter(count) });
    await requestRecovery(BY_ADA, SINCE_NOON).catch(() => {});
    expect({
      isOver: integrations.all.every(canDeliver),
      requested: replays.requested,
      schedules: schedules.all,
    }).toEqual(left);
  });
});

const DELIVERY = aDelivery();
const EVENT = DELIVERY.event.id;

const attempted = (number: number, statusCode: number): Attempt => ({
  account: 'acme',
  integration: DELIVERY.integration,
  event: DELIVERY.event,
  number,
  trigger: 'event',
  startedAt: new Date(`2026-11-20T12:00:0${number}.000Z`),
  durationMs: 40,
  outcome: classify(answered(statusCode)),
});

/** One delivery is in the log, by default after two attempts, the second confirmed. */
const aResend = async ({
  stored = anIntegration() as Stored,
  attempts = [attempted(1, 504), attempted(2, 200)],
  isKept = true,
} = {}) => {
  const parts = testAndRecoverParts({ stored });
  if (isKept) await parts.log.list([DELIVERY]);
  for (const attempt of attempts) await parts.log.record(attempt);
  return { ...parts, parts, ...testAndRecoverOf(parts) };
};

describe('resending a delivery', () => {
  it('enqueues a delivered event again with its id, bytes and attempts', async () => {
    const { resendDelivery, deliveries } = await aResend();
    await resendDelivery(OF_INTEGRATION, EVENT);
    expect(deliveries.deliveries).toEqual([{ ...DELIVERY, trigger: 'manual', priorAttempts: 2 }]);
  });

  it('queues one that was never attempted', async () => {
    const { resendDelivery, deliveries } = await aResend({ attempts: [] });
    await resendDelivery(OF_INTEGRATION, EVENT);
    expect(deliveries.deliveries).toEqual([{ ...DELIVERY, trigger: 'manual', priorAttempts: 0 }]);
  });

  it('tells the delivery as the log has it', async () => {
    const { resendDelivery, log } = await aResend();
    const resent = await resendDelivery(OF_INTEGRATION, EVENT);
    expect(resent).toEqual(await log.find(OF_INTEGRATION.id, EVENT));
    expect(resent.deliveredAt).toBe('2026-11-20T12:00:02.040Z');
  });

  it.each(['busy', 'failed'] as const)('queues it while the integration is %s', async (kind) => {
    const { resendDelivery, queuedIds, integrations } = await aResend({ stored: troubled(kind) });
    await resendDelivery(OF_INTEGRATION, EVENT);
    expect(queuedIds()).toEqual([EVENT]);
    expect(integrations.all).toEqual([troubled(kind)]);
  });

  it.each([
    ['is inactive', { stored: anIntegration({ active: false }) }, 'integration-inactive'],
    ['is deleted', { stored: 'deleted' as const }, 'not-found'],
    ['is another account’s', { stored: anIntegration({ account: 'other' }) }, 'not-found'],
    ['has no such delivery', { isKept: false, attempts: [] }, 'not-found'],
    ['has no longer the body', { isKept: false }, 'not-found'],
  ])('is refused when the integration %s', async (_case, overrides, kind) => {
    const { resendDelivery, queuedIds } = await aResend(overrides);
    expect(await refusalOf(() => resendDelivery(OF_INTEGRATION, EVENT))).toMatchObject({ kind });
    expect(queuedIds()).toEqual([]);
  });

  it('is refused for a test, which is to be made anew', async () => {
    const { resendDelivery, queuedIds } = await aResend({
      attempts: [{ ...attempted(1, 500), trigger: 'test' }],
    });
    const refusal = await refusalOf(() => resendDelivery(OF_INTEGRATION, EVENT));
    expect(refusal.kind).toBe('test-delivery');
    expect(queuedIds()).toEqual([]);
  });

  it('queues an event of the platform whose id looks like that of a test', async () => {
    const { log, resendDelivery, queuedIds } = await aResend();
    const event = { ...DELIVERY.event, id: newTestEventId() };
    await log.list([{ ...DELIVERY, event }]);
    await log.record({ ...attempted(1, 500), event });
    await resendDelivery(OF_INTEGRATION, event.id);
    expect(queuedIds()).toEqual([event.id]);
  });

  it.each(['', 'evt#1', 'é', 'x'.repeat(65)])(
    'finds nothing under what cannot be an event’s id: %s',
    async (eventId) => {
      const { resendDelivery, log } = await aResend();
      Object.assign(log, { find: () => Promise.reject(new Error('asked')) });
      const refusal = await refusalOf(() => resendDelivery(OF_INTEGRATION, eventId));
      expect(refusal.kind).toBe('not-found');
    },
  );

  it.each([
    [0, []],
    [1, []],
    [2, []],
    [3, []],
    [4, [EVENT]],
  ])('queues once or not at all when its process dies: %i calls', async (count, queued) => {
    const { parts, queuedIds } = await aResend();
    const { resendDelivery } = testAndRecoverOf(parts, { through: dyingAfter(count) });
    await resendDelivery(OF_INTEGRATION, EVENT).catch(() => {});
    expect(queuedIds()).toEqual(queued);
  });
});
