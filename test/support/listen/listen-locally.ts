import { afterAll } from 'vitest';
import { createAuthority } from '../certificates.ts';
import type { CustomerWebhook } from '../journey/customer-webhook.ts';
import type { SampleEvent } from '../journey/platform-of.ts';
import { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import { DeliveriesTo } from '../receiver/received-deliveries.ts';
import { downloadListen, type Listening } from './listening.ts';

export const MINUTE_MS = 60_000;

/** What listen.mjs prints first. */
export const LISTENS = 'Posting the events of webhook';

export const agoText = (ms: number): string => new Date(Date.now() - ms).toISOString();

/** Events of a customer, each a millisecond after the one before, that happened so long ago. */
export const eventsOf = ({ customer }: CustomerWebhook, count: number, { agoMs = 0 } = {}) =>
  Array.from({ length: count }, (_, index) =>
    customer.sampleEvent({ occurredAt: agoText(agoMs - index) }),
  );

export const idsOf = (events: readonly { id: string }[]): string[] => events.map(({ id }) => id);

/** Publishes the events, and resolves when they are in the log. */
export const happen = async (webhook: CustomerWebhook, events: readonly SampleEvent[]) => {
  await webhook.customer.publish(...events);
  for (const event of events) await webhook.deliveryThat(event, () => true);
};

interface Identity {
  readonly token: string;
  readonly secret: string;
  readonly at?: string;
}

interface Wishes {
  /** Of the developer's own server. */
  readonly path: string;
  readonly words?: readonly string[];
  /** Another address of the API. */
  readonly at?: string;
}

/**
 * Downloads listen.mjs, and starts a developer's own server, with a certificate that nobody vouches
 * for. Both end after the tests of the file.
 */
export const listenLocally = async (api: string) => {
  const run = await downloadListen(api);
  /** An emulator serves the API at another path than it tells the functions. */
  const listen = (words: readonly string[], { token, secret, at = api }: Identity): Listening =>
    run({ words: [...words, '--api', at], token, secret });
  const local = await MisbehavingReceiver.start(await (await createAuthority()).selfSigned());
  afterAll(() => local.close());
  const listenTo = (
    { customer, bareId, secret }: CustomerWebhook,
    { path, words = [], at }: Wishes,
  ): { run: Listening; posted: DeliveriesTo } => {
    const to = ['--to', local.url(path, 'localhost'), '--integration', bareId];
    const identity = { token: customer.tokens.member, secret, ...(at !== undefined && { at }) };
    return { run: listen([...to, ...words], identity), posted: new DeliveriesTo(local, path) };
  };
  return { listen, local, listenTo };
};
