import { describe, expect, it } from 'vitest';
import { anAttempt } from '../../../support/delivery/attempts.ts';
import { answered } from '../../../support/delivery/scripted-webhook-endpoint.ts';
import {
  aDeliverer,
  answering,
  BUSY,
  backingOff,
  INTEGRATION,
  logBackingOff,
  NOON,
  queued,
  takeSlots,
  trouble,
  UNTROUBLED,
} from '../../../support/delivery/sending/troubled-deliverer.ts';

const SLOW = { score: 12, notedAt: NOON.toISOString() };

const MOVED = queued(1, {
  trigger: 'backoff',
  backsOff: true,
  priorAttempts: 1,
  backingOffSince: NOON.toISOString(),
});

describe('a delivery of a busy integration', () => {
  it('is a probe while it backs off, and stays in the queue', async () => {
    const deliverer = aDeliverer({ stored: BUSY, endpoint: answering(504) });
    await logBackingOff(deliverer, queued(5));
    const result = await deliverer.deliver(queued(5));
    expect(result).toMatchObject(backingOff(240));
    // The integration is busy already.
    expect(result).not.toHaveProperty('became');
    expect(deliverer.pendingEvents.of(INTEGRATION)).toEqual([]);
  });

  it('is a probe when it backs off after a replay, too', async () => {
    const deliverer = aDeliverer({ stored: BUSY, endpoint: answering(504) });
    const message = queued(2, { trigger: 'replay', priorAttempts: 7 });
    await logBackingOff(deliverer, message);
    expect(await deliverer.deliver(message)).toMatchObject(backingOff(30));
  });

  it('waits as any other when three probes back off already', async () => {
    const deliverer = aDeliverer({ stored: BUSY, endpoint: answering(504) });
    await logBackingOff(deliverer, queued(2));
    await takeSlots(deliverer.slots, 3);
    expect(await deliverer.deliver(queued(2))).toMatchObject({ kind: 'pending' });
    const [pending] = deliverer.pendingEvents.of(INTEGRATION);
    expect(pending).toMatchObject({ priorAttempts: 2 });
    // The time in which nothing is attempted is no part of its window.
    expect(pending).not.toHaveProperty('backingOffSince');
  });

  it('makes the integration failed as a probe that is refused', async () => {
    const deliverer = aDeliverer({ stored: BUSY, endpoint: answering(404) });
    await logBackingOff(deliverer, queued(2));
    expect(await deliverer.deliver(queued(2))).toMatchObject({ kind: 'pending', became: 'failed' });
    expect(deliverer.integrations.all).toMatchObject([
      { trouble: { kind: 'failed', statusCode: 404 } },
    ]);
  });

  it.each([
    ['is new', queued(1)],
    ['came back by a fault of the service', queued(3)],
    ['is replayed', queued(1, { trigger: 'backoff', backingOffSince: NOON.toISOString() })],
  ])('is no probe when it %s', async (_case, message) => {
    const { deliver, pendingEvents } = aDeliverer({ stored: BUSY });
    expect(await deliver(message)).toEqual({ kind: 'pending' });
    expect(pendingEvents.of(INTEGRATION)).toHaveLength(1);
  });

  it.each([
    [
      'backed off before it was pending',
      anAttempt({ number: 4, nextAttemptAt: NOON }, answered(504)),
    ],
    ['was refused when it was attempted last', anAttempt({ number: 6 }, answered(500))],
  ])('is no probe when it comes back by a fault of the service and %s', async (_case, attempt) => {
    const { deliver, deliveryLog } = aDeliverer({ stored: BUSY });
    await deliveryLog.record(attempt);
    const message = queued(2, { trigger: 'backoff', priorAttempts: 4 });
    expect(await deliver(message)).toEqual({ kind: 'pending' });
  });

  it('is no probe in a second message of it, while the first backs off', async () => {
    const deliverer = aDeliverer({ stored: BUSY });
    await logBackingOff(deliverer, queued(2));
    const second = queued(1, { trigger: 'rerouted' });
    expect(await deliverer.deliver(second)).toEqual({ kind: 'pending' });
  });

  it('stays a probe in the slow lane, to which it is moved', async () => {
    const stored = { ...BUSY, slowness: SLOW };
    const fast = aDeliverer({ stored });
    await logBackingOff(fast, queued(2));
    expect(await fast.deliver(queued(2))).toEqual({ kind: 'moved' });
    expect(fast.slowLane.deliveries).toEqual([MOVED.delivery]);
    const slow = aDeliverer({ stored, lane: 'slow', endpoint: answering(504) });
    expect(await slow.deliver(MOVED)).toMatchObject(backingOff(30));
  });
});

describe('a delivery of a failed integration', () => {
  it.each([
    ['backs off', queued(2)],
    ['backed off when it was moved to the slow lane', MOVED],
  ])('is no probe, though it %s', async (_case, message) => {
    const stored = { ...UNTROUBLED, trouble: trouble('failed') };
    const deliverer = aDeliverer({ stored, lane: 'slow' });
    await logBackingOff(deliverer, queued(2));
    expect(await deliverer.deliver(message)).toEqual({ kind: 'pending' });
  });
});
