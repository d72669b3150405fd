import { describe, expect, it } from 'vitest';
import { EVENT_TYPES, type Integration } from '../../../packages/console/src/api/resources.ts';
import { causesIn } from '../../../packages/console/src/shared/missing-delivery.ts';

type Settings = Partial<Integration['settings']>;

const ALL = Object.fromEntries(EVENT_TYPES.map((type) => [type, true]));
const NOT_CREATED = { ...ALL, 'contact.created': false } as Integration['settings']['actions'];

const webhook = (settings: Settings = {}, more: Partial<Integration> = {}): Integration =>
  ({
    active: true,
    createdAt: '2026-10-01T12:00:00.000Z',
    settings: { actions: NOT_CREATED, ...settings },
    ...more,
  }) as Integration;

const TAKES_ALL = webhook({ actions: ALL as typeof NOT_CREATED });
const FILTERING = webhook({ ...TAKES_ALL.settings, filter: { message: { to: ['+1'] } } });

const NOW = new Date('2026-11-20T12:30:00.000Z');
const causes = (webhooks: readonly Integration[], search = {}) =>
  causesIn(webhooks, { now: NOW, ...search });

describe('an empty list of deliveries', () => {
  it('names no cause for a webhook that takes all events', () => {
    expect(causes([TAKES_ALL])).toEqual([]);
    expect(causes([TAKES_ALL], { until: '2026-11-20T00:00:00.000Z' })).toEqual([]);
  });

  it('says that the webhook is inactive, unless it keeps events', () => {
    const inactive = (settings: Settings) =>
      webhook({ ...TAKES_ALL.settings, ...settings }, { active: false });

    expect(causes([inactive({})])).toEqual([
      'This webhook is inactive: its new events are neither sent nor stored.',
    ]);
    expect(causes([inactive({ whileInactive: 'keep' })])).toEqual([]);
    expect(causes([inactive({}), TAKES_ALL])).toEqual([
      '1 of 2 webhooks is inactive: its new events are neither sent nor stored.',
    ]);
  });

  it('names the types that no webhook receives, of those searched', () => {
    expect(causes([webhook()])).toEqual(['This webhook is not subscribed to contact.created.']);
    expect(causes([webhook()], { type: 'contact.created' })).toHaveLength(1);
    expect(causes([webhook()], { type: 'message.received' })).toEqual([]);
    expect(causes([webhook(), webhook()])).toEqual([
      'No webhook is subscribed to contact.created.',
    ]);
    expect(causes([webhook(), TAKES_ALL])).toEqual([]);
  });

  it('says how many webhooks have a filter', () => {
    expect(causes([FILTERING])).toEqual([
      'This webhook has a filter, which keeps back events that do not match.',
    ]);
    expect(causes([FILTERING, FILTERING, TAKES_ALL])).toEqual([
      '2 of 3 webhooks have a filter, which keeps back events that do not match.',
    ]);
  });

  it('says that the webhook was added after the time of the search', () => {
    const later = { ...TAKES_ALL, createdAt: '2026-11-19T00:00:00.000Z' };

    expect(causes([later], { until: later.createdAt })).toEqual(['This webhook was added later.']);
    expect(causes([later, TAKES_ALL], { until: later.createdAt })).toEqual([]);
  });

  it('says how long a delivery is listed, for a time of the search before that', () => {
    expect(causes([TAKES_ALL], { until: '2026-10-21T12:30:00.000Z' })).toEqual([
      'A delivery is listed for 30 days after its latest attempt, or while it waits.',
    ]);
    expect(causes([TAKES_ALL], { until: '2026-10-21T12:30:00.001Z' })).toEqual([]);
  });
});
