import { setTimeout as delay } from 'node:timers/promises';
import type { PlatformEvent } from '../core/event/event.ts';
import { type Endpoint, now } from './receiver.ts';
import { type BenchedService, eventNumbered } from './service.ts';

/** Sends events one by one at a steady rate. Resolves to when each was sent, by its id. */
export const sendSteadily = async (
  { send }: BenchedService,
  {
    total,
    perSecond,
    eventAt,
  }: { total: number; perSecond: number; eventAt: (index: number) => PlatformEvent },
): Promise<ReadonlyMap<string, number>> => {
  const sentAt = new Map<string, number>();
  const sends: Promise<unknown>[] = [];
  const startedAt = now();
  for (let index = 0; index < total; index += 1) {
    const dueMs = startedAt + (index * 1_000) / perSecond - now();
    if (dueMs > 0) await delay(dueMs);
    const event = eventAt(index);
    sentAt.set(event.id, now());
    sends.push(send(event));
  }
  await Promise.all(sends);
  return sentAt;
};

/** From SendMessage to the confirmed POST, in milliseconds, of the events that were confirmed. */
export const latenciesTo = (
  { confirmed }: Endpoint,
  sentAt: ReadonlyMap<string, number>,
): number[] =>
  [...sentAt].flatMap(([event, at]) => {
    const confirmedAt = confirmed.get(event);
    return confirmedAt === undefined ? [] : [confirmedAt - at];
  });

/**
 * Sends `message.received` events one by one at a steady rate. Resolves to each event's time from
 * SendMessage to the POST, in milliseconds.
 */
export const latenciesOfStream = async (
  service: BenchedService,
  endpoint: Endpoint,
  { first, total, perSecond }: { first: number; total: number; perSecond: number },
): Promise<number[]> => {
  const { account } = service.run.endpoints;
  const before = endpoint.confirmed.size;
  const eventAt = (index: number) => eventNumbered(first + index, { account });
  const sentAt = await sendSteadily(service, { total, perSecond, eventAt });
  await endpoint.untilConfirmed(before + total);
  return latenciesTo(endpoint, sentAt);
};
