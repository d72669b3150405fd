import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import type { EventType } from '../../../core/event/event-types.ts';
import { newEventId, platformOf, type SampleEvent } from '../journey/platform-of.ts';
import type { MisbehavingReceiver } from '../receiver/misbehaving-receiver.ts';
import type { Behaviour } from '../receiver/receiver-behaviours.ts';

/** A webhook of the account whose users sign in, at an endpoint that does as it is told. */
export interface WebhookUnderTest {
  readonly id: string;
  readonly bareId: string;
  readonly url: string;
  /** Of its page in the console. */
  readonly path: string;
  behave(...behaviours: Behaviour[]): void;
  /** Puts an event on the events queue, as if it had just happened. */
  happen(overrides?: { type?: EventType; data?: object; id?: string }): Promise<SampleEvent>;
}

export const newPath = (): string => `/hooks/${randomUUID().slice(0, 8)}`;

export const platform = () => platformOf(inject('service'));

export const registerWebhook = async (receiver: MisbehavingReceiver): Promise<WebhookUnderTest> => {
  const endpointPath = newPath();
  const url = receiver.url(endpointPath);
  return webhookAt(receiver, url, await platform().register(url));
};

export const webhookAt = (
  receiver: MisbehavingReceiver,
  url: string,
  { id, bareId }: { id: string; bareId: string },
): WebhookUnderTest => ({
  id,
  bareId,
  url,
  path: `/accounts/${inject('service').account}/settings/integrations/${bareId}`,
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
