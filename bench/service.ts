import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs';
import type { PlatformEvent } from '../core/event/event.ts';
import type { EventType } from '../core/event/event-types.ts';
import type { Assemble, EmbeddedRunOptions } from '../local/embedded-run.ts';
import { awsClientConfig } from '../local/endpoints-file.ts';
import { type Customer, newCustomerOf } from '../test/support/journey/customer-of.ts';
import { keptStateOf } from '../test/support/journey/kept-state.ts';
import { type Platform, platformOf } from '../test/support/journey/platform-of.ts';
import { type BenchedRun, startRunInProcess, startRunWithin } from './benched-run.ts';
import { timedId } from './event-ids.ts';
import { type EventSender, eventSender } from './event-sender.ts';
import { type Endpoint, startReceiver } from './receiver.ts';

export interface BenchedService {
  readonly run: Omit<BenchedRun, 'stop'>;
  readonly send: EventSender['send'];
  /** Another customer than the one that `run` has. */
  newCustomer(): Promise<Customer>;
  /**
   * Registers a webhook for events of one type, for the customer that `run` has or for another. At
   * first its endpoint confirms every POST.
   */
  webhookFor(type: EventType, customer?: Customer): Promise<Webhook>;
  /** Puts events on the events queue, ten with each call of SQS. */
  publish(events: readonly PlatformEvent[]): Promise<void>;
  /** How many messages for endpoints are received and not yet deleted. */
  deliveriesInFlight(): Promise<number>;
  /** How many messages are on the queues, in flight or not, dead letters aside. */
  messages(): Promise<number>;
  stop(): Promise<void>;
}

export interface Webhook {
  readonly endpoint: Endpoint;
  readonly url: string;
  /** The integration's path in the API. */
  readonly path: string;
  /** The integration's `status`, as the API shows it. */
  status(): Promise<string>;
  /** Changes the integration by a JSON Merge Patch. */
  change(patch: object): Promise<void>;
  countPending(): Promise<number>;
}

export const STATE_DIRECTORY = '.local/bench';

/**
 * Starts an embedded run without a demonstration, in a process of its own, and a receiver in this
 * one. A bench that intercepts calls or assembles the run has the run in its own process.
 */
export const startBenchedService = async ({
  hourSeconds = 3_600,
  interceptAws,
  stateDirectory = STATE_DIRECTORY,
  assemble,
}: Partial<
  Pick<EmbeddedRunOptions, 'hourSeconds' | 'interceptAws' | 'stateDirectory'> & {
    assemble: Assemble;
  }
> = {}): Promise<BenchedService> => {
  const settings = { hourSeconds, stateDirectory };
  const isLookedInto = interceptAws !== undefined || assemble !== undefined;
  const run = isLookedInto
    ? await startRunWithin(settings, { interceptAws, ...(assemble && { assemble }) })
    : await startRunInProcess(settings);
  const { endpoints, outputs } = run;
  const receiver = await startReceiver(endpoints);
  const queues = new SQSClient(awsClientConfig(endpoints));
  const sender = eventSender(endpoints.eventsQueueUrl);
  const kept = keptStateOf(endpoints, Promise.resolve(outputs));
  const ofQueues = createCount(queues, outputs);
  return {
    run,
    send: sender.send,
    newCustomer: () => newCustomerOf(endpoints, outputs.DirectoryTableName ?? ''),
    webhookFor: async (type, customer) => {
      const platform: Platform = customer ?? platformOf(endpoints);
      const { account } = customer ?? endpoints;
      const { endpoint, url } = receiver.endpointAt(`/${account}/${type}`);
      const { id: path, bareId } = await platform.register(url, { actions: { [type]: true } });
      const status = async () => String((await platform.call('GET', path)).document.status);
      const change = async (body: object) => {
        await platform.call('PATCH', path, { body });
      };
      const countPending = () => kept.countPendingOf(bareId);
      return { endpoint, url, path, status, change, countPending };
    },
    publish: async (events) => {
      for (let start = 0; start < events.length; start += 10) {
        await sender.sendBatch(events.slice(start, start + 10));
      }
    },
    deliveriesInFlight: () => ofQueues(/Deliver/, IN_FLIGHT),
    messages: () => ofQueues(/./, IN_FLIGHT, 'ApproximateNumberOfMessages'),
    stop: async () => {
      await run.stop();
      receiver.stop();
    },
  };
};

const IN_FLIGHT = 'ApproximateNumberOfMessagesNotVisible';

type Count = typeof IN_FLIGHT | 'ApproximateNumberOfMessages';

/** Adds up counts of the work queues whose output has a name that matches. */
const createCount =
  (client: SQSClient, outputs: Readonly<Record<string, string>>) =>
  async (name: RegExp, ...counts: readonly Count[]): Promise<number> => {
    const urls = Object.entries(outputs)
      .filter(([key]) => /(?<!DeadLetter)QueueUrl$/.test(key) && name.test(key))
      .map(([, url]) => url);
    const numbers = await Promise.all(
      urls.map(async (QueueUrl) => {
        const { Attributes = {} } = await client.send(
          new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...counts] }),
        );
        return counts.map((count) => Number(Attributes[count]));
      }),
    );
    return numbers.flat().reduce((sum, number) => sum + number, 0);
  };

/** A small event. `numberOf` tells the number from the event's id. */
export const eventNumbered = (
  number: number,
  { account, type = 'message.received' }: { account: string; type?: EventType },
): PlatformEvent => {
  const at = new Date();
  return {
    id: timedId(at, number),
    type,
    account,
    occurredAt: at.toISOString(),
    data: { message: { id: `msg_${number}`, body: 'Hello', from: '+13035550100' } },
  };
};

/** `share` is from 0 to 1: 0.5 gives the median. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
};
