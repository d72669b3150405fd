import { newWebhookSecret } from '../../adapters/crypto/random-ids.ts';
import type { PlatformEvent } from '../../core/event/event.ts';
import { tlsOf } from '../receiver/certificates.ts';
import { createPostReader, type ReceivedPost } from '../receiver/received-post.ts';
import { startReceiver } from '../receiver/receiver.ts';
import type { SeededRun } from '../seeded-run.ts';
import { registerWebhook } from './integration.ts';
import { Tally } from './tally.ts';

export interface Demonstration {
  /** Path of the registered integration. */
  readonly integration: string;
  readonly receiverUrl: string;
  readonly tally: Tally;
  send(events: readonly PlatformEvent[]): Promise<void>;
  close(): Promise<void>;
}

interface DemonstrationOptions {
  /** Status of the answer to a verified delivery. A POST with a wrong signature gets 401. */
  answer: () => number;
  onPost: (post: ReceivedPost) => void;
}

/** Starts a receiver and registers it for every event type, as an integrator would. */
export const startDemonstration = async (
  { customer, endpoints, events }: SeededRun,
  { answer, onPost }: DemonstrationOptions,
): Promise<Demonstration> => {
  const tally = new Tally();
  const webhookSecret = newWebhookSecret();
  const readPost = createPostReader(webhookSecret);
  const { close, origin } = await startReceiver({
    tls: await tlsOf(endpoints),
    behaviour: ({ body, headers }) => {
      const header = (name: string) => String(headers[name] ?? '');
      const post = readPost({ body, header }, (verified) => (verified ? answer() : 401));
      onPost(post);
      tally.notePost(post);
      return post.statusCode;
    },
  });
  const receiverUrl = `${origin}/webhooks`;
  try {
    const { api } = endpoints;
    const integration = await registerWebhook(receiverUrl, { api, customer, webhookSecret });
    const send = async (sent: readonly PlatformEvent[]): Promise<void> => {
      for (const event of sent) tally.noteSent(event);
      await Promise.all(sent.map((event) => events.send(event)));
    };
    return { integration, receiverUrl, tally, send, close };
  } catch (error) {
    await close();
    throw error;
  }
};
