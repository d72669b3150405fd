import { describe, expect, inject, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import type { SampleEvent } from '../support/journey/platform-of.ts';
import {
  eventsOf,
  happen,
  idsOf,
  LISTENS,
  listenLocally,
  MINUTE_MS,
} from '../support/listen/listen-locally.ts';
import {
  anotherPage,
  cutOff,
  dropConnection,
  endEarly,
  eventsOfType,
  eventsWithId,
  type Fault,
  flood,
  refuseWith,
  startUnreliableApi,
} from '../support/listen/unreliable-api.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';

const { api } = inject('service');
const receiver = await receiverOfFile();
const { listenTo } = await listenLocally(api);

describe.concurrent('listen.mjs with a connection that', () => {
  it('fails in every way misses nothing and posts nothing twice', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/flaky');
    const faults: Fault[] = [
      dropConnection,
      refuseWith(500),
      refuseWith(429, { 'Retry-After': '3' }),
      cutOff,
      endEarly,
      anotherPage,
      flood,
      refuseWith(504),
    ];
    // Every second request fails.
    const flaky = await startUnreliableApi(api, (_path, number) =>
      number % 2 === 0 ? undefined : faults[((number - 1) / 2) % faults.length],
    );
    const { run, posted } = listenTo(webhook, { path: '/flaky', at: flaky.address });
    await run.prints(LISTENS);
    const events = eventsOf(webhook, 8);
    for (const event of events) await webhook.customer.publish(event);
    await posted.each(events);
    const looks = flaky.requests.length + 8;
    await eventually(
      async () => flaky.requests.length,
      (count) => count > looks,
    );

    expect(posted.events.toSorted()).toEqual(idsOf(events).toSorted());
    expect(run.output).toContain('No answer of the API: it answers 429. Next try in 3 s.');
    expect(run.output).not.toMatch(/[^\n\x20-\x7e]/);
    const told = JSON.stringify(flaky.requests);
    expect(told).toContain(webhook.customer.tokens.member);
    expect(told).not.toContain(webhook.secret);
  });

  it('names events with control characters prints each in a line of its own', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/escapes');
    const type = 'a\nReceived 7 events.\u001b[2J\r\u009b8m';
    const between = await startUnreliableApi(api, () => eventsOfType(type));
    const { run } = listenTo(webhook, { path: '/escapes', at: between.address });
    await run.prints(LISTENS);
    await webhook.customer.publish(...eventsOf(webhook, 1));
    await run.prints(' 200 OK  ');
    expect(run.output).toContain('\na?Received 7 events.?[2J??8m  ');
  });

  it('lists an id that is none skips it', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/ids');
    let isOdd = true;
    const between = await startUnreliableApi(api, () =>
      isOdd ? eventsWithId('Ķ\u0000') : undefined,
    );
    const { run, posted } = listenTo(webhook, { path: '/ids', at: between.address });
    await run.prints(LISTENS);
    const [odd, ...usual] = eventsOf(webhook, 3);
    if (odd) await webhook.customer.publish(odd);
    const looks = between.requests.length + 4;
    await eventually(
      async () => between.requests.length,
      (count) => count > looks,
    );
    isOdd = false;
    await webhook.customer.publish(...usual);
    await posted.each(usual);
    expect(run.output).not.toContain('?');
  });

  it('was gone for long also posts what was listed late meanwhile', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/listen/late');
    let isGone = false;
    const flaky = await startUnreliableApi(api, () => (isGone ? dropConnection : undefined));
    const [old] = eventsOf(webhook, 1, { agoMs: 50 * MINUTE_MS });
    const { run, posted } = listenTo(webhook, {
      path: '/late',
      words: ['--since', '70m'],
      at: flaky.address,
    });
    await run.prints(LISTENS);
    const [first] = eventsOf(webhook, 1);
    await happen(webhook, [first] as SampleEvent[]);
    await posted.count(1);

    isGone = true;
    await happen(webhook, [old] as SampleEvent[]);
    flaky.setClockAhead(80 * MINUTE_MS);
    isGone = false;
    await posted.count(2);

    expect(posted.events).toEqual(idsOf([first, old] as SampleEvent[]));
  });
});
