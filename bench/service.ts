import { GetQueueAttributesCommand, SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { EventType } from '../core/event/event-types.ts';
import { awsClientConfig } from '../local/endpoints-file.ts';
import { type SeededRun, startSeededRun } from '../local/seeded-run.ts';
import { type Endpoint, startReceiver } from './receiver.ts';

export interface BenchedService {
  readonly run: SeededRun;
  /** Registers a webhook for events of one type. At first its endpoint confirms every POST. */
  webhookFor(type: EventType): Promise<Webhook>;
  /** Puts events on the events queue, ten with each call of SQS. */
  publish(events: readonly BenchedEvent[]): Promise<void>;
  /** How many messages of the deliveries queue are received and not yet deleted. */
  deliveriesInFlight(): Promise<number>;
  stop(): Promise<void>;
}

interface Webhook {
  readonly endpoint: Endpoint;
  readonly url: string;
  /** The integration's path in the API. */
  readonly path: string;
  /** The integration's `status`, as the API shows it. */
  status(): Promise<string>;
}

type BenchedEvent = ReturnType<typeof eventNumbered>;

/** Starts an embedded run without a demonstration, and a receiver. */
export const startBenchedService = async (hourSeconds = 3_600): Promise<BenchedService> => {
  const run = await startSeededRun({
    apiPort: 0,
    awsPort: 0,
    stateDirectory: '.local/bench',
    hourSeconds,
    onFunctionFailure: (failure) => console.error('A function failed:', failure),
  });
  const { endpoints } = run;
  const receiver = await startReceiver(endpoints);
  const queues = new SQSClient(awsClientConfig(endpoints));
  return {
    run,
    webhookFor: async (type) => {
      const { endpoint, url } = receiver.endpointAt(`/${type}`);
      const { id } = await call(run, `/${endpoints.account}/integrations`, {
        active: true,
        provider: 'webhook',
        config: { baseUrl: url },
        settings: { actions: { [type]: true } },
      });
      const path = String(id);
      return { endpoint, url, path, status: async () => String((await call(run, path)).status) };
    },
    publish: async (events) => {
      for (let start = 0; start < events.length; start += 10) {
        await queues.send(
          new SendMessageBatchCommand({
            QueueUrl: endpoints.eventsQueueUrl,
            Entries: events.slice(start, start + 10).map((event, index) => ({
              Id: String(index),
              MessageBody: JSON.stringify(event),
              MessageGroupId: event.account,
            })),
          }),
        );
      }
    },
    deliveriesInFlight: async () => {
      const { Attributes } = await queues.send(
        new GetQueueAttributesCommand({
          QueueUrl: run.outputs.DeliveriesQueueUrl,
          AttributeNames: ['ApproximateNumberOfMessagesNotVisible'],
        }),
      );
      return Number(Attributes?.ApproximateNumberOfMessagesNotVisible);
    },
    stop: async () => {
      await run.stop();
      receiver.stop();
    },
  };
};

/** Calls the API with the admin token: a POST when there is a body, otherwise a GET. */
const call = async (
  { endpoints }: SeededRun,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> => {
  const response = await fetch(endpoints.api + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      Authorization: `Bearer ${endpoints.adminToken}`,
      'Content-Type': 'application/json',
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
};

export const eventNumbered = (
  number: number,
  { account, type = 'message.received' }: { account: string; type?: EventType },
) => ({
  id: `evt_bench_${number}`,
  type,
  account,
  occurredAt: new Date().toISOString(),
  data: { message: { id: `msg_${number}`, body: 'Hello', from: '+13035550100' } },
});

/** `share` is from 0 to 1: 0.5 gives the median. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
};
