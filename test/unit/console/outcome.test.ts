import { describe, expect, it } from 'vitest';
import {
  attemptInWords,
  deliveryInWords,
  nextOf,
  QUEUED,
} from '../../../console/src/pages/webhook/outcome.ts';
import { REASONS } from '../../../core/delivery/attempt.ts';
import type {
  AttemptDocument,
  DeliveryDocument,
} from '../../../core/delivery/resources/delivery-resource.ts';

const now = new Date('2026-11-20T12:00:10.000Z');

const attempt = (members: Partial<AttemptDocument>): AttemptDocument => ({
  '@type': 'Attempt',
  number: 1,
  trigger: 'event',
  startedAt: '2026-11-20T12:00:00.412Z',
  durationMs: 12,
  outcome: 'delivered',
  ...members,
});

const delivery = (members: Partial<DeliveryDocument>): DeliveryDocument => ({
  '@context': '/contexts/Delivery.jsonld',
  '@type': 'Delivery',
  id: '/integrations/8Fq2LmZ0aBcD/deliveries/evt_1',
  integration: '/integrations/8Fq2LmZ0aBcD',
  eventType: 'message.received',
  occurredAt: '2026-11-20T12:00:00.000Z',
  ...members,
});

describe('an outcome in words', () => {
  const DNS = REASONS['dns-failure'];
  const REFUSED = REASONS['address-refused'];

  it.each([
    ['delivered', { statusCode: 204 }, 'success', 'Delivered', '204'],
    ['fatal', { statusCode: 500 }, 'error', 'Failed', '500 Internal Server Error'],
    ['transient', { statusCode: 504 }, 'warning', 'No answer', '504 Gateway Timeout'],
    ['transient', { reason: DNS }, 'warning', 'No answer', 'the host name could not be resolved'],
    [
      'fatal',
      { reason: REFUSED },
      'error',
      'Not sent',
      'the address is private, local or reserved, and nothing was sent',
    ],
  ] as const)('tells the result of an attempt: %s, %j', (outcome, cause, sign, words, detail) => {
    expect(attemptInWords(attempt({ outcome, ...cause }))).toEqual({ sign, words, detail });
  });

  it('calls a delivery delivered when a later attempt failed', () => {
    const latestAttempt = attempt({ outcome: 'fatal', statusCode: 500, number: 2 });
    expect(deliveryInWords(delivery({ outcome: 'delivered', latestAttempt }))).toEqual({
      sign: 'success',
      words: 'Delivered',
      detail: 'before',
    });
  });

  it('says that a delivery without an attempt waits', () => {
    expect(deliveryInWords(delivery({})).detail).toBe('not sent yet');
    expect(deliveryInWords(delivery({ isPending: true }))).toEqual({
      sign: 'pending',
      words: 'Waiting',
    });
    expect(deliveryInWords(delivery({ isSetAside: true })).words).toBe('Set aside');
  });
});

describe('what happens next', () => {
  const failed = attempt({ outcome: 'fatal', statusCode: 500 });
  const open = { isPending: false, isSetAside: false };

  it('is nothing once a delivery arrived', () => {
    const next = nextOf({ ...open, outcome: 'delivered', attempts: [attempt({})] }, {}, now);
    expect(next).toBeUndefined();
  });

  it('is nothing for a test, whatever it came to', () => {
    const attempts = [attempt({ ...failed, trigger: 'test' })];
    expect(nextOf({ ...open, outcome: 'fatal', attempts }, {}, now)).toBeUndefined();
  });

  it('is the planned attempt of a delivery that backs off', () => {
    const at = '2026-11-20T12:00:14.731Z';
    const attempts = [attempt({ outcome: 'transient', nextAttemptAt: at })];
    expect(nextOf({ ...open, outcome: 'transient', attempts }, {}, now)).toMatchObject({ at });
  });

  it('is any moment once the planned instant is over', () => {
    const nextAttemptAt = '2026-11-20T12:00:09.000Z';
    const attempts = [attempt({ outcome: 'transient', nextAttemptAt })];
    expect(nextOf({ ...open, outcome: 'transient', attempts }, {}, now)).toBe(QUEUED);
  });

  it('is the hourly attempt for a delivery that waits, not its own former plan', () => {
    const nextAttemptAt = '2026-11-20T13:00:00.000Z';
    const pending = { ...open, isPending: true, outcome: failed.outcome, attempts: [failed] };
    const next = nextOf(pending, { nextAttemptAt }, now);
    expect(next).toMatchObject({ sign: 'pending', at: nextAttemptAt });
  });

  it('is the reader’s own call for what is set aside', () => {
    const aside = { ...open, isSetAside: true, outcome: failed.outcome, attempts: [failed] };
    const sentence = expect.stringMatching(/Send it again/);
    expect(nextOf(aside, {}, now)).toMatchObject({ words: 'Set aside', sentence });
  });
});
