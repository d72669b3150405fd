import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { MAX_BODY_BYTES } from '../../core/delivery/route-event.ts';
import { EVENT_TYPES } from '../../core/event/event-types.ts';
import { newCustomer } from '../support/journey/customer-webhook.ts';
import {
  eventually,
  publish,
  publishText,
  register,
  sampleEvent,
} from '../support/journey/platform.ts';
import { newEventId } from '../support/journey/platform-of.ts';
import { eventsDeadLetter } from '../support/journey/service-state.ts';
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
});

const unroutable: [what: string, text: string, reason: RegExp][] = [
  ['that is not JSON', `not json ${newEventId()}`, /not JSON/],
  ['of an unknown type', JSON.stringify(sampleEvent({ type: 'no_such.type' })), /^type: /],
  [
    'whose webhook body would have more than 256 KiB',
    JSON.stringify(sampleEvent({ data: { text: 'x'.repeat(MAX_BODY_BYTES) } })),
    /^the webhook body has \d+ bytes, and at most 262144 are delivered$/,
  ],
];

const stateDirectory = inject('stateDirectory');

const logOfRouting = async (logs: string): Promise<string> => {
  const files = (await readdir(logs)).filter((file) => file.includes('RouteEvent'));
  return (await Promise.all(files.map((file) => readFile(join(logs, file), 'utf8')))).join('');
};

describe('A message of the events queue', () => {
  beforeAll(() => register(receiver.url('/routable')));

  it.skipIf(stateDirectory === undefined)(
    'of an account that there is not is named in the log',
    async () => {
      const event = sampleEvent({ account: 'no-such-account' });

      await publish(event);

      const lineOf = (log: string) =>
        log.split('\n').find((line) => line.includes(event.id)) ?? '{}';
      const log = await eventually(
        () => logOfRouting(join(`${stateDirectory}`, 'logs')),
        (text) => text.includes(event.id),
      );
      expect(lineOf(log)).toContain('events.of_unknown_accounts');
    },
  );

  it.each(unroutable)('%s becomes a dead letter with the reason', async (_what, text, reason) => {
    await publishText(text);

    const letter = await eventually(
      () => eventsDeadLetter(text),
      (found) => found !== undefined,
    );
    expect(letter?.MessageAttributes?.reason?.StringValue).toMatch(reason);
  });
});
