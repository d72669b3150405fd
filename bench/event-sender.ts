import { Agent, request } from 'node:http';
import type { PlatformEvent } from '../core/event/event.ts';
import { stringifyForQueue } from '../core/event/exact-json.ts';

/** Puts an event on the events queue. Resolves once the event is durable. */
export type SendEvent = (event: PlatformEvent) => Promise<void>;

/**
 * Sends events as the platform does, but without an SDK, as load generators do: on the machine that
 * the run has, an SDK took a sixth of all CPU time, and 1.4 ms of an event's way.
 */
export const eventSender = (queueUrl: string): SendEvent => {
  const agent = new Agent({ keepAlive: true });
  const options = {
    agent,
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'AmazonSQS.SendMessage',
    },
  };
  return (event) =>
    new Promise((resolve, reject) => {
      const sending = request(queueUrl, options, (response) => {
        response.resume().once('end', resolve).once('error', reject);
        if (response.statusCode !== 200) reject(new Error(`SQS answered ${response.statusCode}.`));
      });
      const message = { MessageBody: stringifyForQueue(event), MessageGroupId: event.account };
      sending.once('error', reject).end(JSON.stringify({ QueueUrl: queueUrl, ...message }));
    });
};
