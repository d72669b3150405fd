import { describe, expect, it } from 'vitest';
import type {
  AttemptDocument,
  DeliveryDocument,
} from '../../../core/delivery/resources/delivery-resource.ts';
import { createQueryClient } from '../../../packages/console/src/api/query-client.ts';
import {
  deliveriesEveryMs,
  READ_EVERY_MS,
} from '../../../packages/console/src/api/read-intervals.ts';

const now = new Date('2026-11-20T12:00:00.000Z');
const secondsFromNow = (seconds: number) => new Date(now.getTime() + seconds * 1_000);

const row = (
  members: Partial<DeliveryDocument>,
  attempt: Partial<AttemptDocument> = {},
): DeliveryDocument => ({
  '@context': '/contexts/Delivery.jsonld',
  '@type': 'Delivery',
  id: '/integrations/8Fq2LmZ0aBcD/deliveries/evt_1',
  integration: '/integrations/8Fq2LmZ0aBcD',
  eventType: 'message.received',
  occurredAt: '2026-11-20T11:00:00.000Z',
  latestAttempt: {
    '@type': 'Attempt',
    number: 1,
    trigger: 'event',
    startedAt: '2026-11-20T11:00:00.000Z',
    durationMs: 12,
    outcome: members.outcome ?? 'delivered',
    ...attempt,
  },
  ...members,
});

const backingOff = (seconds: number, members: Partial<DeliveryDocument> = {}) =>
  row(
    { outcome: 'transient', ...members },
    { nextAttemptAt: secondsFromNow(seconds).toISOString() },
  );

const changedAgo = (seconds: number) => ({ changedAtMs: secondsFromNow(-seconds).getTime() });

describe('A page with deliveries', () => {
  it.each([
    ['a read brought something a moment ago', { rows: [], ...changedAgo(5) }],
    ['an attempt is due soon', { rows: [row({}), backingOff(14)] }],
    ['an attempt is due', { rows: [backingOff(-10)], ...changedAgo(3_600) }],
  ])('is read every 2.5 seconds while %s', (_, read) => {
    expect(deliveriesEveryMs(read, now)).toBe(READ_EVERY_MS.changing);
  });

  it.each([
    ['all were delivered', { rows: [row({ outcome: 'delivered' })], ...changedAgo(31) }],
    ['there are none', { rows: [] }],
    ['the next attempt is an hour away', { rows: [backingOff(3_600)] }],
    ['an attempt is long overdue', { rows: [backingOff(-600)] }],
    ['they wait for the webhook', { rows: [backingOff(5, { isPending: true })] }],
    ['they are set aside', { rows: [backingOff(5, { isSetAside: true })] }],
    ['they failed', { rows: [row({ outcome: 'fatal', isPending: true })] }],
  ])('is read every 15 seconds if %s', (_, read) => {
    expect(deliveriesEveryMs(read, now)).toBe(READ_EVERY_MS.quiet);
  });
});

describe('A hidden page', () => {
  it('is not read again', () => {
    const { queries } = createQueryClient().getDefaultOptions();
    expect(queries?.refetchIntervalInBackground).toBe(false);
  });
});
