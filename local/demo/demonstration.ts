import type { PlatformEvent } from '../../core/event/event.ts';
import type { Seeded } from '../seed.ts';
import { demoEvents } from './events.ts';
import { eventOf, isVerified, type ReceiverOptions, startReceiver } from './receiver.ts';
import { registerWebhook } from './register-webhook.ts';

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
      const event = isVerified(arrival) ? eventOf(arrival) : undefined;
      if (event !== undefined && awaited.delete(event) && awaited.size === 0) allArrived.resolve();
    },
  });
  try {
    const integration = await registerWebhook(receiver.url, options);
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
