import { newWebhookSecret } from '../../adapters/crypto/random-ids.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import type { SeededRun } from '../seeded-run.ts';
import { type ReceiverOptions, startReceiver } from './receiver.ts';
import { registerWebhook } from './register-webhook.ts';
import { Tally } from './tally.ts';

export interface Demonstration {
  /** Path of the registered integration. */
  readonly integration: string;
  readonly receiverUrl: string;
  readonly tally: Tally;
  send(events: readonly PlatformEvent[]): Promise<void>;
  close(): Promise<void>;
}

/** Starts a receiver and registers it for every event type, as an integrator would. */
export const startDemonstration = async (
  { customer, endpoints, events }: SeededRun,
  { answer, onPost }: Pick<ReceiverOptions, 'answer' | 'onPost'>,
): Promise<Demonstration> => {
  const tally = new Tally();
  const webhookSecret = newWebhookSecret();
  const { close, url } = await startReceiver({
    ...endpoints,
    webhookSecret,
    answer,
    onPost: (post) => {
      onPost(post);
      tally.notePost(post);
    },
  });
  try {
    const { api } = endpoints;
    const integration = await registerWebhook(url, { api, customer, webhookSecret });
    const send = async (sent: readonly PlatformEvent[]): Promise<void> => {
      for (const event of sent) tally.noteSent(event);
      await Promise.all(sent.map((event) => events.send(event)));
    };
    return { integration, receiverUrl: url, tally, send, close };
  } catch (error) {
    await close();
    throw error;
  }
};
