import { describe, expect, it } from 'vitest';
import {
  aDeliverer,
  answering,
  INTEGRATION,
  NOON,
  queued,
  SCHEDULE,
  secondsBeforeNoon,
  UNTROUBLED,
} from '../../../support/delivery/attempt/troubled-deliverer.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';

const slowSince = (seconds: number) => ({
  ...UNTROUBLED,
  slowAt: secondsBeforeNoon(seconds).toISOString(),
});

const isSlow = async () => true;

/** All ten attempt slots, taken until a minute after noon. */
const NO_ATTEMPT_SLOT = Object.fromEntries(
  Array.from({ length: 10 }, (_, slot) => [`attempt${slot}`, secondsBeforeNoon(-60).getTime()]),
);

describe('a slow attempt', () => {
  it('is noted on the integration before it ends', async () => {
    let notedAt: string | undefined;
    const endpoint = new ScriptedWebhookEndpoint(async () => {
      while (notedAt === undefined) {
        await Promise.resolve();
        notedAt = integrations.all[0]?.slowAt;
      }
      return answered(200);
    });
    const { deliver, integrations } = aDeliverer({ endpoint, isSlow });
    expect(await deliver()).toMatchObject({ kind: 'delivered' });
    expect(notedAt).toBe(NOON.toISOString());
  });

  it.each([
    ['once in ten seconds', 9, 9],
    ['again after ten seconds', 10, 0],
  ])('is noted %s', async (_case, notedBefore, noted) => {
    const { deliver, integrations } = aDeliverer({
      stored: slowSince(notedBefore),
      endpoint: answering(200),
      isSlow,
      lane: 'slow',
    });
    await deliver();
    expect(integrations.all).toMatchObject([{ slowAt: secondsBeforeNoon(noted).toISOString() }]);
  });

  it('does not fail its delivery when it cannot be noted', async () => {
    const { deliver, integrations } = aDeliverer({ endpoint: answering(200), isSlow });
    Object.assign(integrations, { noteSlow: () => Promise.reject(new Error('throttled')) });
    expect(await deliver()).toMatchObject({ kind: 'delivered' });
  });
});

describe('a delivery of an integration that was slow within the hour', () => {
  it('goes from the fast lane to the slow lane, without an attempt', async () => {
    const { deliver, slowLane } = aDeliverer({ stored: slowSince(3_599) });
    const message = queued();
    expect(await deliver(message)).toEqual({ kind: 'moved' });
    expect(slowLane.deliveries).toEqual([message.delivery]);
  });

  it('takes its attempts along, and what may be stored of it is replayed', async () => {
    const { deliver, slowLane, schedules } = aDeliverer({ stored: slowSince(60) });
    const message = queued(3, { priorAttempts: 2 });
    expect(await deliver(message)).toEqual({ kind: 'moved' });
    expect(slowLane.deliveries).toMatchObject([
      { priorAttempts: 4, trigger: 'backoff', backingOffSince: NOON.toISOString() },
    ]);
    expect(schedules.all).toEqual([SCHEDULE]);
  });

  it('stays a resend that is sent in any case', async () => {
    const { deliver, slowLane } = aDeliverer({ stored: slowSince(60) });
    await deliver(queued(2, { trigger: 'manual' }));
    expect(slowLane.deliveries).toMatchObject([{ trigger: 'manual' }]);
  });

  it('is attempted in the slow lane, in a slot that is free again afterwards', async () => {
    const { deliver, integrations } = aDeliverer({
      stored: slowSince(60),
      endpoint: new ScriptedWebhookEndpoint(() => {
        taken = Object.keys(integrations.all[0]?.slots ?? {});
        return answered(204);
      }),
      lane: 'slow',
    });
    let taken: string[] = [];
    expect(await deliver()).toMatchObject({ kind: 'delivered' });
    expect(taken).toEqual([expect.stringMatching(/^attempt\d$/)]);
    expect(integrations.all).toMatchObject([{ slots: {} }]);
  });

  it('is deferred when its integration has as many attempts as it may, longer each time', async () => {
    const { deliver, slowLane } = aDeliverer({
      stored: { ...slowSince(60), slots: NO_ATTEMPT_SLOT },
      lane: 'slow',
    });
    expect(await deliver()).toEqual({ kind: 'deferred' });
    expect(await deliver(queued(1, { deferrals: 7 }))).toEqual({ kind: 'deferred' });
    expect(slowLane.deliveries).toMatchObject([{ deferrals: 1 }, { deferrals: 8 }]);
    expect(slowLane.delaysMs).toEqual([5_000, 640_000]);
  });

  it('is pending until the hourly schedule after eight deferrals', async () => {
    const { deliver, slowLane, pendingEvents, schedules } = aDeliverer({
      stored: { ...slowSince(60), slots: NO_ATTEMPT_SLOT },
      lane: 'slow',
    });
    expect(await deliver(queued(1, { deferrals: 8 }))).toEqual({ kind: 'pending' });
    expect(slowLane.deliveries).toEqual([]);
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
    expect(pendingEvents.of(INTEGRATION)[0]?.deferrals).toBeUndefined();
    expect(schedules.all).toEqual([SCHEDULE]);
  });
});

describe('an integration in the slow lane', () => {
  it.each([
    ['leaves it with a fast attempt after half a minute without a slow attempt', 30, undefined],
    ['stays there before', 29, secondsBeforeNoon(29).toISOString()],
  ])('%s', async (_case, since, slowAt) => {
    const { deliver, integrations } = aDeliverer({
      stored: slowSince(since),
      endpoint: answering(200),
      lane: 'slow',
    });
    await deliver();
    expect(integrations.all[0]?.slowAt).toBe(slowAt);
  });
});
