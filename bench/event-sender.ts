import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type { PlatformEvent } from '../core/event/event.ts';
import { stringifyForQueue } from '../core/event/exact-json.ts';
import { type Endpoint, now } from './receiver.ts';

export interface EventSender {
  /** Puts an event on the events queue. Resolves once the event is durable. */
  send(event: PlatformEvent): Promise<void>;
  /** Puts up to ten events there with one call. */
  sendBatch(events: readonly PlatformEvent[]): Promise<void>;
}

/**
 * Sends events as the platform does, but without an SDK, as load generators do: on the machine that
 * the run has, an SDK took a sixth of all CPU time, and 1.4 ms of an event's way.
 */
export const eventSender = (queueUrl: string): EventSender => {
  // A run that falls behind could not take a connection for each event that is due.
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const call = (operation: string, input: object): Promise<string> =>
    new Promise((resolve, reject) => {
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `AmazonSQS.${operation}`,
      };
      const sending = request(queueUrl, { agent, method: 'POST', headers }, (response) => {
        text(response).then(resolve, reject);
        if (response.statusCode !== 200) reject(new Error(`SQS answered ${response.statusCode}.`));
      });
      sending.once('error', reject).end(JSON.stringify({ QueueUrl: queueUrl, ...input }));
    });
  return {
    send: async (event) => {
      await call('SendMessage', messageOf(event));
    },
    sendBatch: async (events) => {
      const Entries = events.map((event, index) => ({ Id: String(index), ...messageOf(event) }));
      const { Failed = [] } = JSON.parse(await call('SendMessageBatch', { Entries }));
      if (Failed.length > 0) throw new Error(`SQS refused ${Failed.length} of a batch's events.`);
    },
  };
};

const messageOf = (event: PlatformEvent) => ({
  MessageBody: stringifyForQueue(event),
  MessageGroupId: event.account,
});

/** Sends events one by one at a steady rate. Resolves to when each was sent, by its id. */
export const sendSteadily = async (
  { send }: Pick<EventSender, 'send'>,
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
