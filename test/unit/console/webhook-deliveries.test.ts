import { describe, expect, it } from 'vitest';
import type {
  AttemptDocument,
  DeliveryDocument,
} from '../../../core/delivery/resources/delivery-resource.ts';
import {
  withFirstPage,
  withOlderPage,
} from '../../../packages/console/src/pages/webhook/live-rows.ts';
import {
  deliveriesQuery,
  isFiltered,
  readWebhookSearch,
} from '../../../packages/console/src/pages/webhook/webhook-search.ts';
import {
  attemptInWords,
  deliveryInWords,
  nextOf,
  QUEUED,
} from '../../../packages/console/src/shared/outcome.ts';
import { searchedIdIn } from '../../../packages/console/src/shared/searched-id.ts';

const now = new Date('2026-11-20T12:00:10.000Z');

const attempt = (members: Partial<AttemptDocument>): AttemptDocument => ({
  '@type': 'Attempt',
  number: 1,
  trigger: 'event',
  startedAt: '2026-11-20T12:00:00.412Z',
  durationMs: 12,
  outcome: 'delivered',
  ...members,
});

const delivery = (members: Partial<DeliveryDocument>): DeliveryDocument => ({
  '@context': '/contexts/Delivery.jsonld',
  '@type': 'Delivery',
  id: '/integrations/8Fq2LmZ0aBcD/deliveries/evt_1',
  integration: '/integrations/8Fq2LmZ0aBcD',
  eventType: 'message.received',
  occurredAt: '2026-11-20T12:00:00.000Z',
  ...members,
});

describe('an outcome in words', () => {
  it.each([
    ['delivered', { statusCode: 204 }, 'success', 'Delivered', '204'],
    ['fatal', { statusCode: 500 }, 'error', 'Failed', '500 Internal Server Error'],
    ['transient', { statusCode: 504 }, 'warning', 'Temporary error', '504 Gateway Timeout'],
    [
      'transient',
      { reason: 'dns-failure' },
      'warning',
      'Temporary error',
      'the host name could not be resolved',
    ],
    [
      'fatal',
      { reason: 'address-refused' },
      'error',
      'Not sent',
      'the address is private, local or reserved',
    ],
  ] as const)('tells the result of an attempt: %s, %j', (outcome, cause, sign, words, detail) => {
    expect(attemptInWords(attempt({ outcome, ...cause }))).toEqual({ sign, words, detail });
  });

  it('calls a delivery delivered when a later attempt failed', () => {
    const latestAttempt = attempt({ outcome: 'fatal', statusCode: 500, number: 2 });
    expect(deliveryInWords(delivery({ outcome: 'delivered', latestAttempt }))).toEqual({
      sign: 'success',
      words: 'Delivered',
      detail: 'before',
    });
  });

  it('says that a delivery without an attempt waits', () => {
    expect(deliveryInWords(delivery({})).detail).toBe('not sent yet');
    expect(deliveryInWords(delivery({ isPending: true }))).toEqual({
      sign: 'pending',
      words: 'Waiting',
    });
    expect(deliveryInWords(delivery({ isSetAside: true })).words).toBe('Set aside');
  });
});

describe('what happens next', () => {
  const failed = attempt({ outcome: 'fatal', statusCode: 500 });
  const open = { isPending: false, isSetAside: false };

  it('is nothing once a delivery arrived', () => {
    const next = nextOf({ ...open, outcome: 'delivered', attempts: [attempt({})] }, {}, now);
    expect(next).toBeUndefined();
  });

  it('is nothing for a test, whatever it came to', () => {
    const attempts = [attempt({ ...failed, trigger: 'test' })];
    expect(nextOf({ ...open, outcome: 'fatal', attempts }, {}, now)).toBeUndefined();
  });

  it('is the planned attempt of a delivery that backs off', () => {
    const at = '2026-11-20T12:00:14.731Z';
    const attempts = [attempt({ outcome: 'transient', nextAttemptAt: at })];
    expect(nextOf({ ...open, outcome: 'transient', attempts }, {}, now)).toMatchObject({ at });
  });

  it('is any moment once the planned instant is over', () => {
    const nextAttemptAt = '2026-11-20T12:00:09.000Z';
    const attempts = [attempt({ outcome: 'transient', nextAttemptAt })];
    expect(nextOf({ ...open, outcome: 'transient', attempts }, {}, now)).toBe(QUEUED);
  });

  it('is the hourly attempt for a pending delivery, not its former plan', () => {
    const nextAttemptAt = '2026-11-20T13:00:00.000Z';
    const pending = { ...open, isPending: true, outcome: failed.outcome, attempts: [failed] };
    const next = nextOf(pending, { nextAttemptAt }, now);
    expect(next).toMatchObject({ sign: 'pending', at: nextAttemptAt });
  });

  it('is the reader’s own call for what is set aside', () => {
    const aside = { ...open, isSetAside: true, outcome: failed.outcome, attempts: [failed] };
    const sentence = expect.stringMatching(/Send it again/);
    expect(nextOf(aside, {}, now)).toMatchObject({ words: 'Set aside', sentence });
  });
});

/** Newest first: row 9 occurred after row 8. */
const rows = (...numbers: number[]) =>
  numbers.map((number) => ({
    id: `evt_${number}`,
    occurredAt: `2026-11-20T12:00:0${number}.000Z`,
  }));
const page = (numbers: number[], next?: string) => ({
  member: rows(...numbers),
  view: { ...(next !== undefined && { next }) },
});
const numbersOf = ({ rows }: { rows: readonly { id: string }[] }) =>
  rows.map(({ id }) => Number(id.slice('evt_'.length)));

describe('a live list', () => {
  it('puts what is new before what was loaded', () => {
    const known = { rows: rows(5, 4, 3, 2), next: '/older' };
    const after = withFirstPage(known, page([6, 5], '/second'));
    expect(numbersOf(after)).toEqual([6, 5, 4, 3, 2]);
    expect(after.next).toBe('/older');
  });

  it('drops a row that left the filter', () => {
    const known = { rows: rows(5, 4, 3), next: '/older' };
    expect(numbersOf(withFirstPage(known, page([5, 3], '/second')))).toEqual([5, 3]);
    expect(numbersOf(withFirstPage(known, page([5])))).toEqual([5]);
  });

  it('begins again when rows between two pages may be missing', () => {
    const known = { rows: rows(3, 2, 1) };
    const after = withFirstPage(known, page([9, 8], '/second'));
    expect(numbersOf(after)).toEqual([9, 8]);
    expect(after.next).toBe('/second');
  });

  it('is empty when the service has nothing any more', () => {
    expect(withFirstPage({ rows: rows(3) }, page([]))).toEqual({ rows: [], next: undefined });
  });

  it('keeps where it goes on when a first page is empty but not the last', () => {
    expect(withFirstPage({ rows: [] }, page([], '/second'))).toEqual({ rows: [], next: '/second' });
  });

  it('keeps older rows when a filter left out the whole first page', () => {
    const known = { rows: rows(3, 2), next: '/older' };
    expect(withFirstPage(known, page([], '/second'))).toEqual(known);
  });

  it('appends a further page, and no row twice', () => {
    const after = withOlderPage({ rows: rows(5, 4), next: '/second' }, page([4, 3], '/third'));
    expect(numbersOf(after)).toEqual([5, 4, 3]);
    expect(after.next).toBe('/third');
  });

  it('orders rows of one instant by their ids', () => {
    const at = '2026-11-20T12:00:00.000Z';
    const row = (id: string) => ({ id, occurredAt: at });
    const known = { rows: [row('c'), row('b'), row('a')] };
    const after = withFirstPage(known, { member: [row('c'), row('b')], view: { next: '/n' } });
    expect(after.rows.map(({ id }) => id)).toEqual(['c', 'b', 'a']);
  });
});

describe('the address of a webhook’s page', () => {
  it('says tab, filters and the open delivery', () => {
    const search = {
      tab: 'waiting',
      outcome: 'fatal',
      type: 'message.received',
      within: '24h',
      event: 'evt_1',
      kind: 'failed',
    };
    expect(readWebhookSearch(search)).toEqual(search);
  });

  it('leaves out what nobody knows', () => {
    const search = {
      tab: 'x',
      outcome: 3,
      type: 'y',
      within: '2h',
      since: 'soon',
      event: '<b>',
      kind: 'z',
    };
    expect(readWebhookSearch(search)).toEqual({});
  });

  it('prefers a time span of its own to a period up to now', () => {
    const since = '2026-11-20T10:00:00.000Z';
    expect(readWebhookSearch({ within: '1h', since })).toEqual({ since });
  });

  it('leaves out an end that is not after the beginning: the API refuses it', () => {
    const since = '2026-11-20T10:00:00.000Z';
    expect(readWebhookSearch({ since, until: since })).toEqual({ since });
  });

  it('becomes the query of the API', () => {
    expect(deliveriesQuery({ outcome: 'transient', type: 'contact.created' }, now)).toEqual({
      outcome: 'transient',
      eventType: 'contact.created',
    });
    expect(deliveriesQuery({ within: '1h' }, now)).toEqual({ since: '2026-11-20T11:00:10.000Z' });
    expect(deliveriesQuery({ outcome: 'undelivered' }, now)).toEqual({ delivered: 'false' });
    expect(deliveriesQuery({}, now)).toEqual({});
  });

  it('has the id that is searched for', () => {
    expect(readWebhookSearch({ about: ' msg_1 ' })).toEqual({ about: 'msg_1' });
    for (const about of ['  ', 'x'.repeat(129), {}])
      expect(readWebhookSearch({ about })).toEqual({});
    expect(deliveriesQuery({ about: 'msg_1' }, now)).toEqual({ about: 'msg_1' });
    expect(isFiltered({ about: 'msg_1' })).toBe(true);
  });

  it('tells whether anything is filtered', () => {
    expect(isFiltered({})).toBe(false);
    expect(isFiltered({ within: '7d' })).toBe(true);
  });
});

describe('the search by id', () => {
  it.each(['evt_1', ' evt_1\n', '/integrations/8Fq2LmZ0aBcD/deliveries/evt_1'])(
    'finds the id in %j',
    (text) => {
      expect(searchedIdIn(text)).toBe('evt_1');
    },
  );
});
