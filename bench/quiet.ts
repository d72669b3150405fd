import { setTimeout as delay } from 'node:timers/promises';
import { now } from './receiver.ts';
import type { BenchedService } from './service.ts';

const QUIET_MS = 1_000;
const QUIET_SAMPLE_MS = 100;
const IN_FLIGHT_SAMPLE_MS = 250;

/**
 * Resolves when no queue has had a message for a second, or when the patience is over; to when the
 * second began, or undefined.
 */
export const untilQuiet = async (
  service: Pick<BenchedService, 'messages'>,
  patienceMs = Number.POSITIVE_INFINITY,
): Promise<number | undefined> => {
  const startedAt = now();
  let quietSince: number | undefined;
  for (; now() - startedAt < patienceMs; await delay(QUIET_SAMPLE_MS)) {
    if ((await service.messages()) > 0) quietSince = undefined;
    else quietSince ??= now();
    if (quietSince !== undefined && now() - quietSince >= QUIET_MS) return quietSince;
  }
  return undefined;
};

/** The most messages for endpoints that are in flight while some work is done. */
export const mostInFlight = async (
  service: Pick<BenchedService, 'deliveriesInFlight'>,
  work: Promise<unknown>,
): Promise<number> => {
  let most = 0;
  let isDone = false;
  const done = work.then(() => {
    isDone = true;
  });
  while (!isDone) {
    most = Math.max(most, await service.deliveriesInFlight());
    await Promise.race([done, delay(IN_FLIGHT_SAMPLE_MS)]);
  }
  return most;
};
