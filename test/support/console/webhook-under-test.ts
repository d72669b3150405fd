import { randomUUID } from 'node:crypto';
import { beforeAll, inject } from 'vitest';
import type { EventType } from '../../../core/event/event-types.ts';
import { newEventId, platformOf, type SampleEvent } from '../journey/platform-of.ts';
import { startReceiver } from '../receiver/journey-receiver.ts';
import type { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import type { Behaviour } from '../receiver/receiver-behaviours.ts';

/** A webhook of the account whose users sign in. The test decides how its endpoint behaves. */
export interface WebhookUnderTest {
  readonly id: string;
  readonly url: string;
  /** As the console shows it: without its scheme. */
  readonly address: string;
  /** The path of its page in the console. */
  readonly path: string;
  behave(...behaviours: Behaviour[]): void;
  /** Puts an event on the events queue, as if it had just happened. */
  happen(overrides?: { type?: EventType; data?: object; id?: string }): Promise<SampleEvent>;
}

export const platform = () => platformOf(inject('service'));

/** So that the events of the next file of tests fail at none of them. */
const deleteWebhooksAt = async (origin: string): Promise<void> => {
  const { account } = inject('service');
  const { document } = await platform().call('GET', `/${account}/integrations?limit=100`);
  const webhooks = document.member as { id: string; config: { baseUrl: string } }[];
  const ended = webhooks.filter(({ config }) => config.baseUrl.startsWith(origin));
  for (const { id } of ended) await platform().call('DELETE', id);
};

/** A receiver for the tests of a file, and webhooks whose endpoints are at the receiver. */
export const endpoints = () => {
  let receiver: MisbehavingReceiver;
  beforeAll(async () => {
    receiver = await startReceiver();
    return async () => {
      await deleteWebhooksAt(receiver.url('/'));
      await receiver.retire();
    };
  });
  const newUrl = (): string => receiver.url(`/hooks/${randomUUID().slice(0, 8)}`);
  const webhookAt = (url: string, id: string): WebhookUnderTest => ({
    id,
    url,
    address: url.replace('https://', ''),
    path: `/accounts/${inject('service').account}/settings/integrations/${id.split('/').at(-1)}`,
    behave: (...behaviours) => receiver.behave(new URL(url).pathname, ...behaviours),
    happen: async (overrides = {}) => {
      const event = platform().sampleEvent({
        id: newEventId(),
        occurredAt: new Date().toISOString(),
        ...overrides,
      });
      await platform().publish(event);
      return event;
    },
  });
  return {
    newUrl,
    webhookAt,
    register: async (): Promise<WebhookUnderTest> => {
      const url = newUrl();
      return webhookAt(url, (await platform().register(url)).id);
    },
    /** The requests that the receiver got. */
    get requests() {
      return receiver.requests;
    },
  };
};
