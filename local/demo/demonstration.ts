import type { PlatformEvent } from '../../core/events/event.ts';
import { EVENT_TYPES } from '../../core/events/event-type.ts';
import type { Seeded } from '../seed.ts';
import { demoEvents } from './events.ts';
import { type Arrival, type ReceiverOptions, startReceiver } from './receiver.ts';

export interface DemonstrationOptions extends Omit<ReceiverOptions, 'webhookSecret'> {
  readonly api: string;
  readonly customer: Seeded;
  readonly webhookSecret: string;
  readonly sendEvent: (event: PlatformEvent) => Promise<unknown>;
}

export interface Demonstration {
  /** Path of the integration that was registered. */
  readonly integration: string;
  readonly receiverUrl: string;
  /** Sends one event of each type; resolves to what did not arrive verified in time. */
  sendEvents(): Promise<readonly PlatformEvent[]>;
  close(): Promise<void>;
}

const PATIENCE_MS = 20_000;

/** A receiver of one's own, registered for everything as an integrator would do it. */
export const startDemonstration = async (options: DemonstrationOptions): Promise<Demonstration> => {
  const awaited = new Map<string, PlatformEvent>();
  const allArrived = Promise.withResolvers<void>();
  const receiver = await startReceiver({
    ...options,
    onArrival: (arrival) => {
      options.onArrival(arrival);
      const event = verifiedEvent(arrival);
      if (event !== undefined && awaited.delete(event) && awaited.size === 0) allArrived.resolve();
    },
  });
  try {
    const integration = await register(receiver.url, options);
    return {
      integration,
      receiverUrl: receiver.url,
      close: receiver.close,
      sendEvents: async () => {
        const events = demoEvents(options.customer.account, new Date());
        for (const event of events) awaited.set(event.id, event);
        const patience = setTimeout(allArrived.resolve, PATIENCE_MS);
        await Promise.all(events.map(options.sendEvent));
        await allArrived.promise;
        clearTimeout(patience);
        return [...awaited.values()];
      },
    };
  } catch (error) {
    await receiver.close();
    throw error;
  }
};

/** The event's id is the end of the delivery's. */
const verifiedEvent = ({ delivery, verified }: Arrival): string | undefined =>
  verified.serviceSignature && verified.standardWebhooks
    ? delivery?.id.split('/').at(-1)
    : undefined;

const register = async (
  baseUrl: string,
  { api, customer, webhookSecret }: DemonstrationOptions,
): Promise<string> => {
  const response = await fetch(`${api}/${customer.account}/integrations`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${customer.adminToken}`,
      'Content-Type': 'application/vnd.service+jsonld',
      Accept: 'application/vnd.service+jsonld',
    },
    body: JSON.stringify({
      '@context': '/contexts/Integration.jsonld',
      '@type': 'Integration',
      active: true,
      provider: 'webhook',
      config: { baseUrl, webhookSecret },
      settings: { actions: Object.fromEntries(EVENT_TYPES.map((type) => [type, true])) },
    }),
  });
  const text = await response.text();
  if (response.status === 201) return JSON.parse(text).id;
  throw new Error(`Registering the webhook was answered ${response.status}: ${text}`);
};
