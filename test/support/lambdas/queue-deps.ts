import type { DeadLetters } from '../../../core/delivery/delivery-queue.ts';
import { untouchable } from '../untouchable.ts';
import { InMemoryMessageVisibility } from './delivering-handler.ts';
import { anObservation } from './observed-handler.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

/** What every function of a queue has, over memory; the jitter is nil. */
export const queueDeps = ({
  visibility = new InMemoryMessageVisibility(),
  now = () => NOON,
} = {}) => ({
  ...anObservation(),
  visibility,
  deadLetters: untouchable<DeadLetters>('the dead-letter queue'),
  now,
  random: () => 0.5,
});
