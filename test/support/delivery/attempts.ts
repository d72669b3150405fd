import { type Attempt, classify, type PostResult } from '../../../core/delivery/attempt.ts';
import { aDelivery } from '../event/platform-events.ts';
import { answered } from './scripted-webhook-endpoint.ts';

/** At noon, the first of its delivery; answered 200 unless another result is given. */
export const anAttempt = (
  overrides: Partial<Attempt> = {},
  result: PostResult = answered(200),
): Attempt => ({
  account: 'acme',
  integration: aDelivery().integration,
  event: aDelivery().event,
  number: 1,
  trigger: 'event',
  startedAt: new Date('2026-11-20T12:00:00.000Z'),
  durationMs: 40,
  outcome: classify(result),
  ...overrides,
});
