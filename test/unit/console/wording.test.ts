import { describe, expect, it } from 'vitest';
import type { Me } from '../../../packages/console/src/api/resources.ts';
import {
  distanceInWords,
  exactInstant,
  hourInWords,
  hoursAgoInWords,
  instantInWords,
  remainingInWords,
} from '../../../packages/console/src/shared/instant-words.ts';
import { whyReadOnly } from '../../../packages/console/src/shared/roles.ts';
import {
  byUrgency,
  failureInWords,
  statusInWords,
  subscriptionInWords,
} from '../../../packages/console/src/shared/status-words.ts';

const TYPES = ['message.received', 'message.delivered', 'message.failed', 'contact.created'];

const subscribedTo = (...subscribed: string[]) => ({
  actions: Object.fromEntries(TYPES.map((type) => [type, subscribed.includes(type)])),
});

describe('the status of a webhook', () => {
  it.each([
    ['active', 'Active', 'success'],
    ['inactive', 'Inactive', 'stopped'],
    ['busy', 'Busy', 'warning'],
    ['failed', 'Failed', 'error'],
  ] as const)('%s is shown in a word and a sign', (status, word, sign) => {
    expect(statusInWords(status)).toMatchObject({ word, sign });
  });

  it('puts what needs attention first', () => {
    expect((['active', 'inactive', 'failed', 'busy'] as const).toSorted(byUrgency)).toEqual([
      'failed',
      'busy',
      'active',
      'inactive',
    ]);
  });
});

it.each([
  [
    'the status that the endpoint answered',
    { statusCode: 500 },
    'Your endpoint answered 500 (Internal Server Error)',
  ],
  [
    'the reason if there was no answer',
    { reason: 'connection-refused' },
    'The connection was refused',
  ],
  ['said even if the service has no reason', {}, 'Your endpoint did not answer'],
])('the cause of a failure is %s', (_, cause, words) => {
  const times = { since: '', lastAttemptAt: '', nextAttemptAt: '' };
  expect(failureInWords({ ...times, ...cause })).toBe(words);
});

describe('the events of a webhook', () => {
  it('are named as far as there is room', () => {
    expect(subscriptionInWords(subscribedTo('message.received', 'message.delivered'))).toBe(
      'message.received, message.delivered',
    );
    expect(
      subscriptionInWords(subscribedTo('message.received', 'message.failed', 'contact.created')),
    ).toBe('message.received, message.failed and 1 more');
  });

  it('are said in a word where they are all or none', () => {
    expect(subscriptionInWords(subscribedTo(...TYPES))).toBe('All 4 event types');
    expect(subscriptionInWords(subscribedTo())).toBe('No events');
  });

  it('are those that match its filter', () => {
    const filter = { message: { to: ['+13035550199'] } };
    expect(subscriptionInWords({ ...subscribedTo('message.received'), filter })).toBe(
      'message.received that match a filter',
    );
    expect(subscriptionInWords({ ...subscribedTo(...TYPES), filter })).toBe(
      'All 4 event types that match a filter',
    );
    expect(subscriptionInWords({ ...subscribedTo(), filter })).toBe('No events');
  });
});

const now = new Date('2026-11-20T12:00:00.000Z');
const london = { locale: 'en-GB', timeZone: 'Europe/London' };

describe('an instant for its reader', () => {
  it.each([
    ['2026-11-20T09:05:07.123Z', '9:05:07'],
    ['2026-11-19T09:05:07.123Z', '19 Nov, 9:05'],
    ['2025-11-20T09:05:07.123Z', '20 Nov 2025, 9:05'],
  ])('says of %s no more than is needed today', (at, words) => {
    expect(instantInWords(at, now, london)).toBe(words);
  });

  it('is of another day in another zone', () => {
    const at = '2026-11-19T23:30:00.000Z';
    expect(instantInWords(at, now, { locale: 'en-GB', timeZone: 'Europe/Berlin' })).toBe('0:30:00');
    expect(instantInWords(at, now, london)).toBe('19 Nov, 23:30');
  });

  it('is exact where it is asked for: in the zone, and as the service has it', () => {
    expect(exactInstant('2026-11-20T09:05:07.123Z', london)).toMatch(
      /20 November 2026 at 09:05:07 GMT\n2026-11-20T09:05:07\.123Z$/,
    );
  });

  it.each([
    ['2026-11-20T12:00:30.000Z', 'now'],
    ['2026-11-20T12:48:10.000Z', 'in 48 minutes'],
    ['2026-11-20T10:00:00.000Z', '2 hours ago'],
    ['2026-11-17T11:00:00.000Z', '3 days ago'],
  ])('is at a distance: %s is %s', (at, words) => {
    expect(distanceInWords(at, now, { locale: 'en' })).toBe(words);
  });
});

describe('an instant that is known to the hour', () => {
  it.each([
    ['2026-11-20T11:00:01.000Z', 'within the last hour'],
    ['2026-11-20T11:00:00.000Z', '1 hour ago'],
  ])('is at a distance: %s is %s', (at, words) => {
    expect(hoursAgoInWords(at, now, { locale: 'en' })).toBe(words);
  });

  it.each([
    ['Europe/London', 'between 7:00 and 8:00'],
    ['Asia/Kolkata', 'between 12:30 and 13:30'],
  ])('is between the ends of the hour in %s', (timeZone, words) => {
    expect(hourInWords('2026-11-20T07:00:00.000Z', { locale: 'en-GB', timeZone })).toBe(words);
  });
});

describe('the time that remains', () => {
  it.each([
    ['2026-11-27T12:00:00.000Z', '7 d 0 h'],
    ['2026-11-21T11:59:00.000Z', '23 h 59 min'],
    ['2026-11-20T12:01:30.000Z', '1 min 30 s'],
    ['2026-11-20T12:00:00.400Z', '1 s'],
  ])('counts down to %s as %s', (until, words) => {
    expect(remainingInWords(until, now)).toBe(words);
  });

  it.each(['2026-11-20T12:00:00.000Z', '2026-11-20T11:00:00.000Z'])('ends at %s', (until) => {
    expect(remainingInWords(until, now)).toBeUndefined();
  });
});

const me = (role: Me['role']): Me => ({
  '@context': '/contexts/Me.jsonld',
  '@type': 'Me',
  id: '/me',
  user: '/users/u_1',
  userName: 'u_1',
  account: '/accounts/acme-sms',
  organisation: '/accounts/acme',
  role,
});

it.each([
  ['there for an admin', me('admin'), undefined],
  [
    'disabled for a member, who is told whose admins can use it',
    me('member'),
    'You are a member of acme-sms. You can see everything here. Only an admin of acme can change it.',
  ],
  ['disabled until the user is read', undefined, 'Your role is being read.'],
])('a control that changes something is %s', (_, user, reason) => {
  expect(whyReadOnly(user)).toBe(reason);
});
