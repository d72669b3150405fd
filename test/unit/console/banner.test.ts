import { describe, expect, it } from 'vitest';
import { bannerOf, waitingInWords } from '../../../console/src/pages/webhook/banner.ts';
import { REASONS } from '../../../core/delivery/attempt.ts';

const updatedAt = '2026-11-20T12:00:00.000Z';
const failure = {
  since: '2026-11-20T13:00:01.870Z',
  statusCode: 500,
  lastAttemptAt: '2026-11-20T14:00:02.104Z',
  nextAttemptAt: '2026-11-20T15:00:02.000Z',
};

describe('the banner of a webhook', () => {
  it('is not there while the webhook works', () => {
    expect(bannerOf({ status: 'active', updatedAt }, { waiting: 0 })).toBeUndefined();
    expect(bannerOf({ status: 'active', updatedAt }, { waiting: undefined })).toBeUndefined();
  });

  it('tells that events wait beside those that the endpoint takes, and lets them be sent', () => {
    expect(bannerOf({ status: 'active', updatedAt }, { waiting: 3 })).toMatchObject({
      type: 'info',
      what: 'some events are waiting',
      waiting: '3 events wait; none is lost.',
      canRecover: true,
    });
  });

  it('says since when and why a webhook failed, what waits, and when it is tried', () => {
    expect(bannerOf({ status: 'failed', failure, updatedAt }, { waiting: 2 })).toEqual({
      type: 'error',
      since: failure.since,
      what: 'your endpoint answered 500 (Internal Server Error)',
      advice: expect.stringMatching(/logs/),
      suggestsContinue: false,
      waiting: '2 events wait; none is lost.',
      nextAttemptAt: failure.nextAttemptAt,
      canRecover: true,
    });
  });

  it('suggests to continue with the other events when the API advises that', () => {
    const advised = { ...failure, advice: 'The endpoint confirmed other events …' };
    const banner = bannerOf({ status: 'failed', failure: advised, updatedAt }, { waiting: 2 });
    expect(banner?.suggestsContinue).toBe(true);
  });

  it('says why a webhook is busy by its latest delivery', () => {
    const latest = { reason: REASONS['connection-refused'] };
    expect(bannerOf({ status: 'busy', updatedAt }, { waiting: 1, latest })).toMatchObject({
      type: 'warning',
      what: '20 deliveries in a row got no answer: the connection was refused',
      advice: expect.stringMatching(/Nothing listens/),
      canRecover: true,
    });
  });

  it('says that a webhook is busy before its latest delivery is read', () => {
    expect(bannerOf({ status: 'busy', updatedAt }, { waiting: undefined })).toMatchObject({
      what: '20 deliveries in a row got no answer',
      waiting: 'Events wait; none is lost.',
    });
  });

  it('says that nothing is kept while a webhook is switched off, and offers no recovery', () => {
    expect(bannerOf({ status: 'inactive', updatedAt }, { waiting: 0 })).toMatchObject({
      type: 'info',
      advice: expect.stringMatching(/neither sent nor kept/),
      waiting: '',
      canRecover: false,
    });
    expect(bannerOf({ status: 'inactive', updatedAt }, { waiting: 4 })?.waiting).toBe(
      '4 events wait; none is lost. They are sent once it is on again.',
    );
  });

  it('counts what waits', () => {
    expect(waitingInWords(0)).toBe('No event waits.');
    expect(waitingInWords(1)).toBe('1 event waits; it is not lost.');
    expect(waitingInWords(1_234)).toBe('1,234 events wait; none is lost.');
    expect(waitingInWords(10_000)).toBe('10,000 or more events wait; none is lost.');
  });
});
