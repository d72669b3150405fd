import { describe, expect, it } from 'vitest';
import {
  type DeadLetters,
  type DeliveryQueue,
  NotEnqueued,
} from '../../../../core/delivery/delivery-queue.ts';
import { buildRouteEvents, MAX_BODY_BYTES } from '../../../../core/delivery/route-event.ts';
import {
  buildCountFiltered,
  type FilteredCounts,
} from '../../../../core/delivery/statistics/count-filtered.ts';
import { NOT_AN_EVENT_TYPE } from '../../../../core/event/event-types.ts';
import type { IntegrationLists } from '../../../../core/integration/integration-store.ts';
import { createHandler } from '../../../../lambdas/consumers/route-event/handler.ts';
import { InMemoryDeadLetters } from '../../../support/delivery/in-memory-dead-letters.ts';
import { InMemoryDeliveryQueue } from '../../../support/delivery/in-memory-delivery-queue.ts';
import { InMemoryStatistics } from '../../../support/delivery/statistics/in-memory-statistics.ts';
import { eventWithBodyOf } from '../../../support/event/body-sizes.ts';
import { eventText } from '../../../support/event/platform-events.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import {
  ALL_DONE,
  aBatch,
  aRecord,
  kept,
  queueDeps,
} from '../../../support/lambdas/queue-functions.ts';
import { untouchable } from '../../../support/untouchable.ts';

const NOON = new Date('2026-11-20T12:00:00.000Z');

const aFunction = ({
  integrations = new InMemoryIntegrations(anIntegration()) as Pick<IntegrationLists, 'listOf'>,
  deliveries = new InMemoryDeliveryQueue() as DeliveryQueue,
  deadLetters = untouchable<DeadLetters>('the dead-letter queue'),
  isAccount = async (name: string) => name === 'globex',
  counts = new InMemoryStatistics() as FilteredCounts,
} = {}) => {
  const deps = queueDeps();
  const routeEvents = buildRouteEvents({
    deliveries,
    subscriptions: { ofAccount: (account) => integrations.listOf(account) },
    slowLane: untouchable<DeliveryQueue>('the slow lane'),
    now: () => NOON,
  });
  const countFiltered = buildCountFiltered({ counts, now: () => NOON });
  const reporting = { isAccount, countFiltered };
  return { handler: createHandler({ ...deps, ...reporting, routeEvents, deadLetters }), ...deps };
};

/** A message of each event, whose id is the event's. */
const batchOf = (...ids: string[]) => aBatch(...ids.map((id) => aRecord(id, eventText({ id }))));

describe('The function that routes events', () => {
  it('enqueues a delivery for each event of the batch', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const { handler } = aFunction({ deliveries });
    const batch = batchOf('evt_1', 'evt_2');
    expect(await handler(batch)).toEqual(ALL_DONE);
    expect(deliveries.deliveries.map(({ event }) => event.id)).toEqual(['evt_1', 'evt_2']);
  });

  it('logs the events of a batch that an integration is subscribed to', async () => {
    const { handler, logger } = aFunction({
      integrations: new InMemoryIntegrations(
        anIntegration({ id: 'aaaaaaaaaaaa' }),
        anIntegration({ id: 'bbbbbbbbbbbb' }),
        anIntegration({ id: 'gggggggggggg', account: 'globex' }),
      ),
    });
    await handler(
      aBatch(
        aRecord('m1', eventText({ id: 'evt_1' })),
        aRecord('m2', eventText({ id: 'evt_2', account: 'initech' })),
        aRecord('m3', eventText({ id: 'evt_3', account: 'globex' })),
        aRecord('m4', eventText({ id: 'evt_4' })),
      ),
    );
    const events = ['evt_1', 'evt_3', 'evt_4'];
    const fields = { accounts: ['acme', 'globex'], events, deliveries: 5 };
    expect(logger.lines).toContainEqual({ level: 'info', name: 'events.routed', fields });
  });

  it('logs whose filter kept events back, and nothing of the events', async () => {
    const { settings } = anIntegration();
    const { handler, logger } = aFunction({
      integrations: new InMemoryIntegrations(
        anIntegration({ settings: { ...settings, filter: '{"message":{"to":["another"]}}' } }),
        anIntegration({ id: 'Broken000001', settings: { ...settings, filter: '{"a":{}}' } }),
        anIntegration({ id: 'gggggggggggg', account: 'globex' }),
      ),
    });
    await handler(
      aBatch(
        aRecord('m1', eventText({ id: 'evt_1' })),
        aRecord('m2', eventText({ id: 'evt_2' })),
        aRecord('m3', eventText({ id: 'evt_3', account: 'globex' })),
      ),
    );
    expect(logger.named('filter.not_evaluated')).toEqual([
      {
        integrations: ['Broken000001'],
        events: 2,
        error: 'Error: The filter is not valid: must name a field.',
        stack: expect.any(String),
      },
    ]);
    expect(logger.named('events.routed')).toEqual([
      {
        accounts: ['acme', 'globex'],
        events: ['evt_1', 'evt_2', 'evt_3'],
        deliveries: 3,
        filtered: [anIntegration().id, anIntegration().id],
      },
    ]);
  });

  /** Two integrations of acme and one of globex, none of which takes messages to +1303. */
  const filtering = () => {
    const { settings } = anIntegration();
    const filter = '{"message":{"to":["another"]}}';
    return new InMemoryIntegrations(
      ...[
        { account: 'acme', id: 'acme00000001' },
        { account: 'acme', id: 'acme00000002' },
        { account: 'globex', id: 'globex000001' },
      ].map((key) => anIntegration({ ...key, settings: { ...settings, filter } })),
    );
  };

  it('counts what filters keep back in one write for each account of a batch', async () => {
    const writes: unknown[] = [];
    const counts: FilteredCounts = {
      addFiltered: async (of, added) => {
        writes.push([of, Object.fromEntries(added)]);
      },
    };
    const { handler } = aFunction({ integrations: filtering(), counts });
    const received = events(
      ['acme', 'message.received'],
      ['globex', 'message.received'],
      ['acme', 'message.received'],
      ['acme', 'contact.created'],
    );
    expect(await handler(received)).toEqual(ALL_DONE);
    expect(writes).toEqual([
      [
        { account: 'acme', hour: '2026-11-20T12' },
        { acme00000001: 2, acme00000002: 2 },
      ],
      [{ account: 'globex', hour: '2026-11-20T12' }, { globex000001: 1 }],
    ]);
  });

  it('writes no statistics for a batch of which no filter keeps anything back', async () => {
    const { handler } = aFunction({ counts: untouchable<FilteredCounts>('the statistics') });
    expect(await handler(batchOf('evt_1'))).toEqual(ALL_DONE);
  });

  it('fails no event when statistics of an account cannot be written', async () => {
    const statistics = new InMemoryStatistics();
    const counts: FilteredCounts = {
      addFiltered: async (of, added) => {
        if (of.account === 'acme') throw new Error('The table is throttled.');
        await statistics.addFiltered(of, added);
      },
    };
    const { handler, logger } = aFunction({ integrations: filtering(), counts });
    const received = events(['acme', 'message.received'], ['globex', 'message.received']);
    expect(await handler(received)).toEqual(ALL_DONE);
    expect(logger.named('filtered_events.not_counted')).toMatchObject([{ account: 'acme' }]);
    const ofGlobex = { account: 'globex', id: 'globex000001' };
    const hours = await statistics.hoursSince(ofGlobex, '2026-11-20T00');
    expect(hours.get('2026-11-20T12')?.counts.filteredEvents).toBe(1);
  });

  const events = (...named: readonly [account: string, type: string][]) =>
    aBatch(
      ...named.map(([account, type], at) =>
        aRecord(`m${at}`, eventText({ id: `evt_${at}`, account, type })),
      ),
    );

  it('counts the events that no webhook wants by the reason', async () => {
    const asked: string[] = [];
    const { handler, logger, metrics } = aFunction({
      isAccount: async (name) => {
        asked.push(name);
        return name === 'globex';
      },
    });
    const batch = events(
      ['acme', 'message.received'],
      ['acme', 'contact.created'],
      ['globex', 'message.received'],
      ['initech', 'message.received'],
      ['initech', 'message.failed'],
    );
    expect(await handler(batch)).toEqual(ALL_DONE);
    expect(metrics.flushed).toEqual({ EventsNotSubscribed: 2, EventsOfUnknownAccounts: 2 });
    expect(asked).toEqual(['globex', 'initech']);
    const fields = { accounts: ['initech'], events: ['evt_3', 'evt_4'] };
    expect(logger.lines).toContainEqual({
      level: 'warn',
      name: 'events.of_unknown_accounts',
      fields,
    });
  });

  it('holds no event up when an account cannot be read', async () => {
    const { handler, logger, metrics } = aFunction({
      isAccount: async () => {
        throw new Error('The table is throttled.');
      },
    });
    expect(await handler(events(['initech', 'message.received']))).toEqual(ALL_DONE);
    expect(metrics.flushed).toEqual({ EventsNotSubscribed: 1 });
    expect(logger.lines).toMatchObject([
      { level: 'warn', name: 'account.not_read', fields: { account: 'initech' } },
    ]);
  });

  it('marks the deliveries of an event that was received before', async () => {
    const deliveries = new InMemoryDeliveryQueue();
    const { handler } = aFunction({ deliveries });
    const again = eventText({ id: 'evt_2' });
    await handler(aBatch(aRecord('m1', eventText()), aRecord('m2', again, { receiveCount: 2 })));
    expect(deliveries.deliveries.map(({ trigger }) => trigger)).toEqual(['event', 'rerouted']);
  });

  it('makes an unroutable message a dead letter, and routes the others', async () => {
    const deadLetters = new InMemoryDeadLetters();
    const deliveries = new InMemoryDeliveryQueue();
    const { handler, logger } = aFunction({ deadLetters, deliveries });
    const batch = aBatch(
      aRecord('m1', '{not JSON'),
      aRecord('m2', eventText()),
      aRecord('m3', eventText({ type: 'no.such' })),
    );
    expect(await handler(batch)).toEqual(ALL_DONE);
    expect(deadLetters.letters).toEqual([
      { text: '{not JSON', attributes: {}, reason: 'the message is not JSON' },
      {
        text: eventText({ type: 'no.such' }),
        attributes: {},
        reason: `type: ${NOT_AN_EVENT_TYPE}`,
      },
    ]);
    expect(deliveries.deliveries).toHaveLength(1);
    expect(logger.named('event.unroutable').map(({ messageId }) => messageId)).toEqual([
      'm1',
      'm3',
    ]);
  });

  it('makes an event with too large a body a dead letter, and no other', async () => {
    const deadLetters = new InMemoryDeadLetters();
    const deliveries = new InMemoryDeliveryQueue();
    const { handler } = aFunction({ deliveries, deadLetters });
    const text = JSON.stringify(eventWithBodyOf(MAX_BODY_BYTES + 1));
    const largest = JSON.stringify(eventWithBodyOf(MAX_BODY_BYTES, { id: 'evt_largest' }));
    const batch = aBatch(aRecord('m1', text), aRecord('m2', largest));
    expect(await handler(batch)).toEqual(ALL_DONE);
    const reason = 'the webhook body has 262145 bytes, and at most 262144 are delivered';
    expect(deadLetters.letters).toEqual([{ text, attributes: {}, reason }]);
    expect(deliveries.deliveries.map(({ event }) => event.id)).toEqual(['evt_largest']);
  });

  it('keeps a message whose dead letter cannot be written', async () => {
    const deadLetters = { add: () => Promise.reject(new Error('throttled')) };
    const { handler } = aFunction({ deadLetters });
    const batch = aBatch(aRecord('m1', 'nonsense'), aRecord('m2', eventText()));
    expect(await handler(batch)).toEqual(kept('m1'));
  });

  it('keeps an event whose deliveries were not all enqueued', async () => {
    const throttled = new Error('throttled');
    const deliveries: DeliveryQueue = {
      enqueue: async (all) => {
        const refused = all.filter(({ event }) => event.id === 'evt_1');
        throw new NotEnqueued(new Map(refused.map((delivery) => [delivery, throttled])), {
          of: all.length,
        });
      },
    };
    const deadLetters = new InMemoryDeadLetters();
    const { handler, logger, visibility } = aFunction({ deliveries, deadLetters });
    const batch = batchOf('evt_1', 'evt_2');
    expect(await handler(batch)).toEqual(kept('evt_1'));
    expect(visibility.delaysMs).toEqual({ 'receipt of evt_1': 5_000 });
    expect(deadLetters.letters).toEqual([]);
    expect(logger.named('record.failed')).toMatchObject([
      { messageId: 'evt_1', error: 'Error: throttled' },
    ]);
    expect(logger.named('events.routed')).toMatchObject([{ events: ['evt_2'] }]);
  });

  it('keeps all events of a batch that a fault of the service stops', async () => {
    const deps = queueDeps();
    const handler = createHandler({
      ...deps,
      routeEvents: () => Promise.reject(new TypeError('x is undefined')),
      isAccount: untouchable('the accounts'),
      countFiltered: untouchable('the statistics'),
      deadLetters: untouchable<DeadLetters>('the dead-letter queue'),
    });
    const batch = aBatch(aRecord('m1', eventText()), aRecord('m2', eventText()));
    expect(await handler(batch)).toEqual(kept('m1', 'm2'));
    expect(deps.visibility.delaysMs).toEqual({ 'receipt of m1': 5_000, 'receipt of m2': 5_000 });
    expect(deps.logger.named('record.failed')).toHaveLength(2);
  });

  it('is done with an event without a subscriber, without a line', async () => {
    const { handler, logger } = aFunction({
      integrations: new InMemoryIntegrations(),
      deliveries: untouchable<DeliveryQueue>('the deliveries queue'),
      isAccount: async () => true,
    });
    expect(await handler(aBatch(aRecord('m1', eventText())))).toEqual(ALL_DONE);
    expect(logger.lines).toEqual([]);
  });

  it('logs nothing of what an event says', async () => {
    const deadLetters = new InMemoryDeadLetters();
    const { handler, logger } = aFunction({ deadLetters });
    const data = { body: 'PRIVATE-4711' };
    await handler(
      aBatch(
        aRecord('m1', eventText({ data })),
        aRecord('m2', eventText({ data, id: 'PRIVATE 4711' })),
        aRecord('m3', '{"PRIVATE-4711'),
      ),
    );
    expect(logger.lines.map(({ name }) => name).toSorted()).toEqual([
      'event.unroutable',
      'event.unroutable',
      'events.routed',
    ]);
    expect(logger.text).not.toContain('PRIVATE');
  });
});
