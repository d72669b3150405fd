import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../core/event/event-types.ts';
import { newCustomer } from '../support/journey/customer.ts';
import { publish, publishText, register, sampleEvent } from '../support/journey/platform.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { carries, isAuthentic } from '../support/receiver/received-deliveries.ts';

const receiver = await receiverOfFile();

describe('An event', () => {
  it.each(EVENT_TYPES)(
    'of type %s reaches a webhook that subscribes to it, signed',
    async (type) => {
      const { id, secret } = await register(receiver.url(`/types/${type}`), {
        actions: { [type]: true },
      });
      const event = sampleEvent({ type });

      await publish(event);

      const request = await receiver.requests.where(carries(event));
      expect(isAuthentic(request, secret)).toBe(true);
      expect(JSON.parse(request.body.toString())).toEqual({
        '@context': '/contexts/WebhookDelivery.jsonld',
        '@type': 'WebhookDelivery',
        id: `${id}/deliveries/${event.id}`,
        webHook: id,
        action: type,
        timestamp: event.occurredAt,
        data: event.data,
      });
    },
  );

  it('verifies with the standardwebhooks package, whichever kind of secret', async () => {
    const made = await register(receiver.url('/standard/made'));
    const chosen = await register(receiver.url('/standard/chosen'), {
      webhookSecret: 'a secret of my own, with spaces',
    });
    const event = sampleEvent();

    await publish(event);

    const toMade = await receiver.requests.where(
      (r) => r.path === '/standard/made' && carries(event)(r),
    );
    const toChosen = await receiver.requests.where(
      (r) => r.path === '/standard/chosen' && carries(event)(r),
    );
    const ofMade = new Webhook(made.secret);
    const ofChosen = new Webhook(chosen.secret, { format: 'raw' });
    expect(ofMade.verify(toMade.body.toString(), { ...toMade.headers })).toBeTruthy();
    expect(ofChosen.verify(toChosen.body.toString(), { ...toChosen.headers })).toBeTruthy();
    expect(() => ofMade.verify(toChosen.body.toString(), { ...toChosen.headers })).toThrow();
  });

  it('says what it is in its headers', async () => {
    const { id } = await register(receiver.url('/headers'));
    const event = sampleEvent();

    await publish(event);

    const request = await receiver.requests.where(
      (r) => r.path === '/headers' && carries(event)(r),
    );
    expect(request.method).toBe('POST');
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Service-Webhooks\/\d+\.\d+\.\d+$/),
      'webhook-id': `${id}/deliveries/${event.id}`,
      'webhook-timestamp': expect.stringMatching(/^\d{10}$/),
    });
  });

  it('goes to every subscribed webhook of its account and to no other', async () => {
    const other = await newCustomer();
    const wanted = { actions: { 'contact.created': true } };
    await register(receiver.url('/fan/one'), wanted);
    await register(receiver.url('/fan/two'), wanted);
    await register(receiver.url('/fan/unsubscribed'), { actions: { 'contact.opted_in': true } });
    await register(receiver.url('/fan/inactive'), { ...wanted, active: false });
    await register(receiver.url('/fan/other-account'), {
      ...wanted,
      account: other.account,
      token: other.tokens.admin,
    });
    const event = sampleEvent({ type: 'contact.created' });
    const laterForAll = sampleEvent({ type: 'contact.created' });

    await publish(event);
    await receiver.requests.where((r) => r.path === '/fan/one' && carries(event)(r));
    await receiver.requests.where((r) => r.path === '/fan/two' && carries(event)(r));
    await publish(laterForAll);
    await receiver.requests.where((r) => r.path === '/fan/one' && carries(laterForAll)(r));
    await receiver.requests.where((r) => r.path === '/fan/two' && carries(laterForAll)(r));

    const paths = receiver.requests.all.filter(carries(event)).map(({ path }) => path);
    expect(paths.filter((path) => path.startsWith('/fan')).sort()).toEqual([
      '/fan/one',
      '/fan/two',
    ]);
  });

  it('by default is one that was received or delivered', async () => {
    const { account, tokens } = await newCustomer();
    await register(receiver.url('/default'), { account, token: tokens.admin });
    const events = EVENT_TYPES.map((type) => sampleEvent({ type, account }));

    for (const event of events) await publish(event);
    const wanted = events.filter(({ type }) =>
      ['message.received', 'message.delivered'].includes(type),
    );
    await Promise.all(wanted.map((event) => receiver.requests.where(carries(event))));

    const arrived = receiver.requests.all.filter(({ path }) => path === '/default');
    expect(arrived).toHaveLength(wanted.length);
  });

  it('keeps its data as the platform wrote it', async () => {
    const { secret } = await register(receiver.url('/exact'));
    const { id, account, occurredAt } = sampleEvent();
    const data = String.raw`{"id":12345678901234567890,"rate":1.10,"big":1e400,"zero":-0,"text":"é 😀 \uffff \u0000","__proto__":{"a":1}}`;

    await publishText(
      `{"id":"${id}","type":"message.received","account":"${account}","occurredAt":"${occurredAt}","data":${data}}`,
    );

    const request = await receiver.requests.where((r) => r.path === '/exact' && carries({ id })(r));
    expect(request.body.toString()).toContain(`"data":${data}`);
    expect(isAuthentic(request, secret)).toBe(true);
  });
});
