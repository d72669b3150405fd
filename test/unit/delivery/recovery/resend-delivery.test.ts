import { describe, expect, it } from 'vitest';
import { type Attempt, classify } from '../../../../core/delivery/attempt.ts';
import {
  OF_INTEGRATION,
  type Stored,
  testAndRecoverOf,
  testAndRecoverParts,
} from '../../../support/delivery/recovery/test-and-recover-parts.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../../support/dying-process.ts';
import { aDelivery } from '../../../support/event/platform-events.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { refusalOf } from '../../../support/refusals.ts';

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
  it('queues it again though it arrived, with its id, its bytes and its count of attempts', async () => {
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
  ])('is refused when the integration %s', async (_case, wishes, kind) => {
    const { resendDelivery, queuedIds } = await aResend(wishes);
    expect(await refusalOf(() => resendDelivery(OF_INTEGRATION, EVENT))).toMatchObject({ kind });
    expect(queuedIds()).toEqual([]);
  });

  it('is refused for a test, which is to be made anew', async () => {
    const { log, resendDelivery, queuedIds } = await aResend();
    const event = { ...DELIVERY.event, id: `test_${'a'.repeat(20)}` };
    await log.list([{ ...DELIVERY, event }]);
    const refusal = await refusalOf(() => resendDelivery(OF_INTEGRATION, event.id));
    expect(refusal.kind).toBe('test-delivery');
    expect(queuedIds()).toEqual([]);
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
