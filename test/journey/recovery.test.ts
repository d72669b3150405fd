import { describe, expect, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { loseDeliveries } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { eventOf } from '../support/receiver/received-deliveries.ts';
import { answer, type Behaviour } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

/** The longest backoff of the stage: a recovery leaves the events to their queue. */
const BACK_OFF_LONG = { headers: { 'Retry-After': 8 } };

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1_000).toISOString();

const idsOf = (events: Iterable<{ id: string }>): string[] => [...events].map(({ id }) => id);

/** A webhook whose endpoint answers 504 to some events, and confirms the others. */
const webhookAt = async (path: string) => {
  const unlucky = new Set<string>();
  const confirmed: string[] = [];
  const endpoint: Behaviour = (connection, request) => {
    const event = eventOf(request);
    if (unlucky.has(event)) return answer(504, BACK_OFF_LONG)(connection, request);
    confirmed.push(event);
    return answer(204)(connection, request);
  };
  const webhook = await CustomerWebhook.at(receiver, path, { behaves: [endpoint] });
  /** In the past minute, each a second younger than the one before. */
  const pastEvents = (count: number) =>
    Array.from({ length: count }, (_, index) =>
      webhook.customer.sampleEvent({ occurredAt: ago(60 - index) }),
    );
  return { webhook, unlucky, confirmed, pastEvents };
};

type Recovering = Awaited<ReturnType<typeof webhookAt>>;

/** Publishes events whose first attempts fail, and resolves when they back off. */
const letBackOff = async (
  { webhook, unlucky }: Recovering,
  events: readonly { id: string }[],
): Promise<void> => {
  for (const { id } of events) unlucky.add(id);
  await webhook.customer.publish(...events);
  await eventually(
    () => webhook.listed('?outcome=transient'),
    (listed) => events.every(({ id }) => listed.includes(id)),
  );
  unlucky.clear();
};

const arrives = ({ webhook }: Recovering, event: { id: string }) =>
  webhook.deliveryThat(event, ({ outcome }) => outcome === 'delivered');

const recover = async ({ webhook }: Recovering, since: string | undefined) => {
  const reply = await webhook.post('/recover', { since });
  expect(reply.status).toBe(202);
  return reply.document;
};

/** Loses one more event and recovers it. Earlier recoveries have sent their events by then. */
const recoverOneMore = async (recovering: Recovering, since: string | undefined) => {
  const { webhook } = recovering;
  const event = webhook.customer.sampleEvent({ occurredAt: ago(0) });
  await loseDeliveries(webhook, event);
  await recover(recovering, since);
  await arrives(recovering, event);
  return event;
};

describe.concurrent('A recovery', () => {
  it('sends what did not arrive, and nothing that had', async () => {
    const recovering = await webhookAt('/mixed');
    const { webhook, confirmed, pastEvents } = recovering;
    const events = pastEvents(15);
    const lost = events.filter((_, index) => index % 3 === 0);
    const arriving = events.filter((_, index) => index % 3 === 1);
    const backingOff = events.filter((_, index) => index % 3 === 2);
    await webhook.customer.publish(...arriving);
    for (const event of arriving) await arrives(recovering, event);
    await loseDeliveries(webhook, ...lost);
    await letBackOff(recovering, backingOff);

    const recovery = await recover(recovering, events[0]?.occurredAt);

    expect(recovery).toEqual({
      '@context': '/contexts/Recovery.jsonld',
      '@type': 'Recovery',
      integration: webhook.id,
      since: events[0]?.occurredAt,
      requestedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      status: 'active',
    });
    for (const event of events) await arrives(recovering, event);
    const more = await recoverOneMore(recovering, events[0]?.occurredAt);
    // A delivery whose backoff ends while the recovery looks at it may be sent twice.
    const backedOff = new Set(idsOf(backingOff));
    const others = confirmed.filter((event) => !backedOff.has(event));
    expect(others.toSorted()).toEqual(idsOf([...arriving, ...lost, more]).toSorted());
    const [ofLost, ofArriving] = await Promise.all(
      [lost[0], arriving[0]].map((event) => webhook.delivery(event ?? more)),
    );
    expect(ofLost?.attempts).toMatchObject([{ number: 1, trigger: 'replay' }]);
    expect(ofArriving?.attempts).toMatchObject([{ number: 1, trigger: 'event' }]);
  });
});
