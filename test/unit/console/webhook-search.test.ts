import { describe, expect, it } from 'vitest';
import {
  deliveriesQuery,
  eventIdIn,
  isFiltered,
  readWebhookSearch,
} from '../../../console/src/pages/webhook/webhook-search.ts';

const now = new Date('2026-11-20T12:00:00.000Z');

describe('the address of a webhook’s page', () => {
  it('says tab, filters and the open delivery', () => {
    const search = {
      tab: 'waiting',
      outcome: 'fatal',
      type: 'message.received',
      within: '24h',
      event: 'evt_1',
    };
    expect(readWebhookSearch(search)).toEqual(search);
  });

  it('leaves out what nobody knows', () => {
    const search = { tab: 'x', outcome: 3, type: 'y', within: '2h', since: 'soon', event: '<b>' };
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
    expect(deliveriesQuery({ within: '1h' }, now)).toEqual({ since: '2026-11-20T11:00:00.000Z' });
    expect(deliveriesQuery({}, now)).toEqual({});
  });

  it('tells whether anything is filtered', () => {
    expect(isFiltered({})).toBe(false);
    expect(isFiltered({ within: '7d' })).toBe(true);
  });
});

describe('the search by event id', () => {
  it.each(['evt_1', ' evt_1\n', '/integrations/8Fq2LmZ0aBcD/deliveries/evt_1'])(
    'finds the id in %j',
    (text) => {
      expect(eventIdIn(text)).toBe('evt_1');
    },
  );

  it.each(['', 'évènement', 'a b', 'x'.repeat(65), undefined])('finds none in %j', (text) => {
    expect(eventIdIn(text)).toBeUndefined();
  });
});
