import { describe, expect, it } from 'vitest';
import {
  byUrgency,
  failureInWords,
  statusInWords,
  subscriptionInWords,
} from '../../../console/src/shared/status-words.ts';

const actions = (...subscribed: string[]) =>
  Object.fromEntries(
    ['message.received', 'message.delivered', 'message.failed', 'contact.created'].map((type) => [
      type,
      subscribed.includes(type),
    ]),
  );

describe('the status of a webhook', () => {
  it.each([
    ['active', 'Active', 'success'],
    ['inactive', 'Inactive', 'stopped'],
    ['busy', 'Busy', 'warning'],
    ['failed', 'Failed', 'error'],
  ] as const)('%s is shown in a word and a sign', (status, word, sign) => {
    expect(statusInWords(status)).toMatchObject({ word, sign });
  });

  it('has a sign of its own for each status', () => {
    const signs = (['active', 'inactive', 'busy', 'failed'] as const).map(
      (status) => statusInWords(status).sign,
    );
    expect(new Set(signs).size).toBe(4);
  });

  it('puts what needs a person first', () => {
    expect((['active', 'inactive', 'failed', 'busy'] as const).toSorted(byUrgency)).toEqual([
      'failed',
      'busy',
      'active',
      'inactive',
    ]);
  });
});

describe('why a webhook is failed', () => {
  const failure = { since: '', lastAttemptAt: '', nextAttemptAt: '' };

  it('is the status that the endpoint answered', () => {
    expect(failureInWords({ ...failure, statusCode: 500 })).toBe('It answered 500');
  });

  it('is the reason where no answer came', () => {
    expect(failureInWords({ ...failure, reason: 'the connection was refused' })).toBe(
      'No answer: the connection was refused',
    );
  });

  it('is said even where the service has no reason', () => {
    expect(failureInWords(failure)).toBe('It gave no answer');
  });
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
    const all = actions(
      'message.received',
      'message.delivered',
      'message.failed',
      'contact.created',
    );
    expect(subscriptionInWords(all)).toBe('All 4 events');
    expect(subscriptionInWords(actions())).toBe('No events');
  });
});
