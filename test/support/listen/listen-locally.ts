import { afterAll } from 'vitest';
import { createAuthority } from '../certificates.ts';
import type { CustomerWebhook } from '../journey/customer-webhook.ts';
import type { SampleEvent } from '../journey/platform-of.ts';
import { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import { DeliveriesTo } from '../receiver/received-deliveries.ts';
import { downloadListen, type Listening } from './listening.ts';

export const MINUTE_MS = 60_000;

/** What listen.mjs prints first. */
export const LISTENS = 'Posting the events of integration';

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
  const listen = await downloadListen(api);
  const local = await MisbehavingReceiver.start(await (await createAuthority()).selfSigned());
  afterAll(() => local.close());
  const listenTo = (
    { customer, bareId, secret }: CustomerWebhook,
    { path, words = [], at }: Wishes,
  ): { run: Listening; posted: DeliveriesTo } => {
    const run = listen({
      words: [
        ...['--to', local.url(path, 'localhost'), '--integration', bareId, ...words],
        ...(at === undefined ? [] : ['--api', at]),
      ],
      token: customer.tokens.member,
      secret,
    });
    return { run, posted: new DeliveriesTo(local, path) };
  };
  return { listen, local, listenTo };
};
