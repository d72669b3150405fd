import { describe, expect, it } from 'vitest';
import * as core from '../../../core/changes/change-resource.ts';
import type { Change } from '../../../packages/console/src/api/resources.ts';
import {
  actorInWords,
  CHANGE_KINDS,
  changeInWords,
  readChangeFilter,
  webhooksToChoose,
} from '../../../packages/console/src/shared/change-words.ts';
import { aChangeAt } from '../../support/changes/changes.ts';

const AT = '2026-11-20T14:05:31.000Z';

const shown = (overrides: Partial<Change>) => aChangeAt(AT, overrides);

const details = (overrides: Partial<Change>) => changeInWords(shown(overrides)).details;

describe('a change in words', () => {
  it('has a kind to choose for each kind that the service knows', () => {
    expect(CHANGE_KINDS.toSorted()).toEqual([...core.CHANGE_KINDS].toSorted());
  });

  it('has the settings before and after, in the words of the settings page', () => {
    const members = [
      { name: 'config.baseUrl', from: 'https://a.example.com', to: 'https://b.example.com' },
      { name: 'settings.onFatalError', from: 'pause', to: 'continue' },
      { name: 'settings.actions.message.failed', from: false, to: true },
      { name: 'settings.actions.contact.created', to: true },
      { name: 'config.clientSecret' },
      { name: 'config.headers.X-Api-Key' },
      { name: 'config.nextWebhookSecret' },
      { name: 'description', to: 'Orders' },
      { name: 'config.later', to: true },
    ];
    expect(changeInWords(shown({ kind: 'settings-changed', members }))).toEqual({
      sign: 'info',
      words: 'Settings changed',
      details: [
        'Endpoint URL: https://a.example.com → https://b.example.com',
        'When the endpoint refuses an event: pause → continue',
        'message.failed: off → on',
        'contact.created: off → on',
        'Client secret: changed',
        'Header X-Api-Key: changed',
        'Next signing secret: changed',
        'Description: none → Orders',
        'config.later: none → on',
      ],
    });
  });

  it.each([
    ['busy', { reason: 'response-timeout' }, /^Your endpoint did not/],
    ['failed', { statusCode: 500 }, /^Your endpoint answered 500 \(Internal Server Error\)\.$/],
  ] as const)('has the cause of a webhook that is %s', (kind, cause, words) => {
    expect(details({ kind, since: AT, ...cause })).toEqual([expect.stringMatching(words)]);
  });

  const recovered = { kind: 'recovered', statusCode: 500 } as const;

  it.each([
    ['2026-11-20T13:00:01.000Z', '1 h 5 min'],
    ['2026-11-18T13:00:01.000Z', '2 d 1 h'],
    ['2026-11-20T14:05:27.500Z', '4 s'],
    [AT, 'less than a second'],
  ])('says how long a trouble since %s lasted, and why it was: %s', (since, lasted) => {
    expect(details({ ...recovered, since })).toEqual([
      `Down for ${lasted}. Reason: 500 Internal Server Error.`,
    ]);
  });

  it.each([
    [{ endedBy: 'success' }, 'Your endpoint confirmed an event again.'],
    [{ endedBy: 'settings' }, 'The settings were changed.'],
    [{ endedBy: 'request' }, 'A recovery was requested.'],
    [{ endedBy: 'nothing-pending' }, 'No events were waiting.'],
  ] as const)('says how it ended: %j', (overrides, words) => {
    expect(details({ ...recovered, since: AT, ...overrides })[1]).toBe(words);
  });

  it.each([
    [1, '1 event'],
    [2, '2 events'],
  ])('counts the events that were set aside: %i', (count, words) => {
    expect(details({ kind: 'event-set-aside', count })).toEqual([words]);
  });

  it.each([
    ['service', { who: 'The service' }],
    ['operator', { who: 'An operator' }],
    [{ user: '/users/u_ada' }, { who: 'u_ada' }],
    [
      { user: '/users/u_ada', token: 'tok_1' },
      { who: 'u_ada', token: 'tok_1' },
    ],
  ] as const)('says who made it: %j', (by, expected) => {
    expect(actorInWords(by)).toEqual(expected);
  });
});

describe('the filter of the activity', () => {
  it('is read from the address, without what is not known', () => {
    const filter = { integration: '0123456789Ab', kind: 'failed' };
    expect(readChangeFilter({ ...filter, page: 2 })).toEqual(filter);
    expect(readChangeFilter({ integration: '/integrations/x', kind: 'lost' })).toEqual({});
  });

  it('offers existing webhooks, and deleted ones by their latest address', () => {
    const existing = { id: '/integrations/0123456789Ab', config: { baseUrl: 'https://now' } };
    const of = (id: string, baseUrl: string) => ({ integration: `/integrations/${id}`, baseUrl });
    const changes = [
      of('deleted00000', 'https://late'),
      of('deleted00000', 'https://early'),
      of('0123456789Ab', 'https://before'),
    ];
    const now = { value: '0123456789Ab', label: 'now' };
    const late = { value: 'deleted00000', label: 'https://late', description: 'Deleted' };
    expect(webhooksToChoose([existing], changes, undefined)).toEqual([now, late]);
    expect(webhooksToChoose([existing], changes, 'deleted00000')).toEqual([now, late]);
    expect(webhooksToChoose([], [], 'deleted00000')).toEqual([{ ...late, label: 'deleted00000' }]);
  });
});
