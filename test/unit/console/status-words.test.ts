import { describe, expect, it } from 'vitest';
import {
  byUrgency,
  failureInWords,
  statusInWords,
  subscriptionInWords,
} from '../../../console/src/shared/status-words.ts';

const TYPES = ['message.received', 'message.delivered', 'message.failed', 'contact.created'];

const actions = (...subscribed: string[]) =>
  Object.fromEntries(TYPES.map((type) => [type, subscribed.includes(type)]));

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
  ['the status that the endpoint answered', { statusCode: 500 }, 'It answered 500'],
  [
    'the reason if there was no answer',
    { reason: 'the connection was refused' },
    'No answer: the connection was refused',
  ],
  ['said even if the service has no reason', {}, 'It gave no answer'],
])('the cause of a failure is %s', (_, cause, words) => {
  const times = { since: '', lastAttemptAt: '', nextAttemptAt: '' };
  expect(failureInWords({ ...times, ...cause })).toBe(words);
});

describe('the events of a webhook', () => {
  it('are named as far as there is room', () => {
    expect(subscriptionInWords(actions('message.received', 'message.delivered'))).toBe(
      'message.received, message.delivered',
    );
    expect(
      subscriptionInWords(actions('message.received', 'message.failed', 'contact.created')),
    ).toBe('message.received, message.failed and 1 more');
  });

  it('are said in a word where they are all or none', () => {
    expect(subscriptionInWords(actions(...TYPES))).toBe('All 4 events');
    expect(subscriptionInWords(actions())).toBe('No events');
  });
});
