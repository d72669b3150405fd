import { describe, expect, it } from 'vitest';
import { changeOf } from '../../../core/changes/change-event.ts';
import { changesBetween, type IntegrationWrite } from '../../../core/changes/changes-between.ts';
import { MAX_FILTER_BYTES } from '../../../core/event/event-filter.ts';
import { EVENT_TYPES, type EventType } from '../../../core/event/event-types.ts';
import { MAX_URL_LENGTH } from '../../../core/integration/address-guard.ts';
import type { Integration, Trouble } from '../../../core/integration/integration.ts';
import { subscribedTo } from '../../../core/integration/settings.ts';
import { BY_ADA } from '../../support/changes/changes.ts';
import { troubled } from '../../support/delivery/trouble/troubled.ts';
import { aConfig } from '../../support/integration/in-memory-secrets.ts';
import { anIntegration, byAdaAt } from '../../support/integration/integrations.ts';

const AT = '2026-11-21T08:00:00.000Z';
const WRITTEN = '2026-11-21T08:00:01.000Z';
const ACTIVE = anIntegration({ createdAt: AT, changedBy: byAdaAt(AT) });
const byAda = { at: WRITTEN, by: BY_ADA };
const [BUSY, FAILED] = [troubled('busy'), troubled('failed')];

const changes = (before?: Integration, after?: Integration) => {
  const write: IntegrationWrite = { id: 'chg_7', writtenAt: new Date(WRITTEN), before, after };
  return changesBetween(write).map((change) => {
    expect(changeOf(change.kind).parse(change)).toEqual(change);
    const { '@context': _, '@type': __, id, account, integration, baseUrl, ...told } = change;
    expect(id).toBe(`/acme/changes/chg_7-${told.kind}`);
    expect([account, integration]).toEqual(['/accounts/acme', `/integrations/${ACTIVE.id}`]);
    expect(baseUrl).toMatch(/^https:\/\/[a-z0-9.-]+\/…?$/);
    return told;
  });
};

/** As a change of settings leaves an integration. */
const changed = (stored: Integration, members: Partial<Integration>): Integration => {
  const { trouble: _, streak: __, ...others } = stored;
  return {
    ...others,
    revision: stored.revision + 1,
    updatedAt: WRITTEN,
    changedBy: byAdaAt(WRITTEN),
    ...members,
  };
};

const ended = ({ trouble: _, ...stored }: Integration): Integration => ({
  ...stored,
  epoch: stored.epoch + 1,
});

describe('the changes of an integration', () => {
  it('begin with its creation and end with its deletion, each with its user', () => {
    expect(changes(undefined, ACTIVE)).toEqual([{ kind: 'created', at: AT, by: BY_ADA }]);
    const deleted = { ...ACTIVE, deletedBy: byAdaAt(WRITTEN) };
    expect(changes(deleted, undefined)).toEqual([{ kind: 'deleted', ...byAda }]);
  });

  it('name the changed settings with their values', () => {
    const after = changed(ACTIVE, {
      config: { ...ACTIVE.config, baseUrl: 'https://new.example.com/' },
      settings: { actions: subscribedTo('message.received'), onFatalError: 'continue' },
    });
    expect(changes(ACTIVE, after)).toEqual([
      {
        kind: 'settings-changed',
        ...byAda,
        members: [
          {
            name: 'config.baseUrl',
            from: 'https://hooks.example.com/…',
            to: 'https://new.example.com/',
          },
          { name: 'settings.actions.message.delivered', from: true, to: false },
          { name: 'settings.onFatalError', from: 'pause', to: 'continue' },
        ],
      },
    ]);
  });

  it('have a filter as text', () => {
    const filtered = (filter?: string) => ({ ...ACTIVE, settings: { ...ACTIVE.settings, filter } });
    const [old, current] = [filtered('{"a":["x"]}'), filtered('{"a":["y"]}')];
    const name = 'settings.filter';
    expect(changes(old, changed(old, { settings: current.settings }))).toMatchObject([
      { members: [{ name, from: '{"a":["x"]}', to: '{"a":["y"]}' }] },
    ]);
    expect(changes(old, changed(old, { settings: ACTIVE.settings }))).toMatchObject([
      { members: [{ name, from: '{"a":["x"]}' }] },
    ]);
    expect(changes(old, changed(old, { settings: { ...old.settings } }))).toEqual([]);
  });

  it('show neither path nor query of an address, which may hold secrets', () => {
    const at = (baseUrl: string) => ({ ...ACTIVE, config: { ...ACTIVE.config, baseUrl } });
    const before = at('https://hooks.example.com/services/T0/B0/PATH-SECRET?key=QUERY-SECRET');
    const changedTo = (url: string) => changes(before, changed(before, { config: at(url).config }));
    const told = [
      changes(undefined, before),
      changedTo('https://hooks.example.com/ANOTHER-SECRET'),
      changedTo('https://hooks.example.com/?ANOTHER-SECRET'),
    ];
    expect(JSON.stringify(told)).not.toContain('SECRET');
    const address = { name: 'config.baseUrl' };
    expect(told.slice(1)).toMatchObject([[{ members: [address] }], [{ members: [address] }]]);
  });

  it('tell that a secret changed, without its value', () => {
    const config = aConfig({ webhookSecret: 'another secret', clientSecret: 'for them' });
    const told = changes(ACTIVE, changed(ACTIVE, { config }));
    expect(told).toEqual([
      { kind: 'settings-changed', ...byAda, members: [{ name: 'config.clientSecret' }] },
      { kind: 'secret-rotated', ...byAda },
    ]);
  });

  it('tell that a rotation was prepared, and that it was ended', () => {
    const prepared = { ...ACTIVE, config: aConfig({ nextWebhookSecret: 'the next secret' }) };
    const { nextWebhookSecret, ...config } = prepared.config;
    if (nextWebhookSecret === undefined) throw new Error('There is no next secret.');
    expect(changes(ACTIVE, changed(ACTIVE, { config: prepared.config }))).toEqual([
      { kind: 'settings-changed', ...byAda, members: [{ name: 'config.nextWebhookSecret' }] },
    ]);
    const switched = { ...config, webhookSecret: nextWebhookSecret };
    expect(changes(prepared, changed(prepared, { config: switched }))).toEqual([
      { kind: 'secret-rotated', ...byAda },
    ]);
  });

  it('name the added, changed and removed headers, without their values', () => {
    const headers = { Kept: 'SECRET-1', Changed: 'SECRET-2', Removed: 'SECRET-3' };
    const before = { ...ACTIVE, config: aConfig({ headers }) };
    const { Removed: _, ...others } = headers;
    const config = aConfig({ headers: { ...others, Changed: 'SECRET-4', Added: 'SECRET-5' } });
    const told = changes(before, changed(before, { config }));
    const members = ['Changed', 'Removed', 'Added'].map((key) => ({
      name: `config.headers.${key}`,
    }));
    expect(told).toEqual([{ kind: 'settings-changed', ...byAda, members }]);
  });

  it('do not tell of a header whose name has another case', () => {
    const before = { ...ACTIVE, config: aConfig({ headers: { 'X-Key': 'SECRET' } }) };
    const config = aConfig({ headers: { 'x-key': 'SECRET' } });
    expect(changes(before, changed(before, { config }))).toEqual([]);
  });

  it('have the description of the time, and its value before and after', () => {
    const before = { ...ACTIVE, description: 'Old' };
    const told = changes(before, changed(before, { description: 'New' }));
    const members = [{ name: 'description', from: 'Old', to: 'New' }];
    expect(told).toMatchObject([{ description: 'New', members }]);
    expect(changes(before, changed(before, { description: undefined }))).toEqual([
      expect.objectContaining({ members: [{ name: 'description', from: 'Old' }] }),
    ]);
  });

  it.each([
    [{ kind: 'user', user: 'ada@example.com' }, { user: '/users/ada%40example.com' }],
    [{ kind: 'operator' }, 'operator'],
  ] as const)('name who made it: %j', (by, expected) => {
    const created = { ...ACTIVE, changedBy: { ...by, at: AT } };
    expect(changes(undefined, created)).toEqual([{ kind: 'created', at: AT, by: expected }]);
  });

  it('have at most 24 KB, so that a call of EventBridge takes ten', () => {
    const largest = (letter: string, types: readonly EventType[]): Integration => ({
      ...ACTIVE,
      description: letter.repeat(120),
      config: aConfig({
        baseUrl: `https://${'x'.repeat(MAX_URL_LENGTH)}${letter}/`,
        headers: Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`${letter}${n}`.repeat(32), ''])),
      }),
      settings: {
        actions: subscribedTo(...types),
        onFatalError: 'pause',
        filter: letter + '"'.repeat(MAX_FILTER_BYTES),
      },
    });
    const [before, after] = [largest('\u20ac', EVENT_TYPES), largest('\u20ad', [])];
    const by = { kind: 'user', user: '\u20ac'.repeat(100), at: WRITTEN } as const;
    const [change] = changes(before, changed(after, { changedBy: by }));
    expect(change?.members).toHaveLength(1 + 1 + 10 + EVENT_TYPES.length + 1);
    expect(Buffer.byteLength(JSON.stringify(change))).toBeLessThan(24 * 1_024);
  });

  it.each([
    ['deactivated', true],
    ['activated', false],
  ])('tell that it was %s', (kind, active) => {
    const before = { ...ACTIVE, active };
    const told = changes(before, changed(before, { active: !active }));
    expect(told).toEqual([{ kind, ...byAda }]);
  });

  it.each([
    ['busy', BUSY],
    ['failed', FAILED],
  ])('tell that it became %s, and the cause', (kind, after) => {
    const { since = '', statusCode, reason } = after.trouble ?? {};
    const cause = statusCode === undefined ? { reason } : { statusCode };
    for (const before of [ACTIVE, troubled('waiting')]) {
      expect(changes(before, after)).toEqual([{ kind, at: since, by: 'service', since, ...cause }]);
    }
  });

  it('have the reason in words, if there was no answer', () => {
    const { statusCode: _, ...others } = FAILED.trouble ?? {};
    const trouble = { ...others, reason: 'connection-refused' } as Trouble;
    expect(changes(ACTIVE, { ...FAILED, trouble })).toMatchObject([
      { kind: 'failed', reason: 'connection-refused', detail: 'the connection was refused' },
    ]);
  });

  it('tell how its trouble ended', () => {
    const { since, statusCode } = FAILED.trouble ?? {};
    const recovered = { kind: 'recovered', at: WRITTEN, since, statusCode };
    const confirmed = { ...ended(FAILED), confirmedAt: WRITTEN };
    for (const before of [FAILED, { ...FAILED, confirmedAt: WRITTEN }]) {
      expect(changes(before, confirmed)).toEqual([
        { ...recovered, by: 'service', endedBy: 'success' },
      ]);
    }
    const before = { ...FAILED, confirmedAt: '2026-11-20T11:00:00.000Z' };
    for (const one of [FAILED, before]) {
      expect(changes(one, ended(one))).toEqual([
        { ...recovered, by: 'service', endedBy: 'nothing-pending' },
      ]);
    }
    expect(changes(FAILED, { ...ended(FAILED), changedBy: byAdaAt(WRITTEN) })).toEqual([
      { ...recovered, by: BY_ADA, endedBy: 'request' },
    ]);
    expect(changes(FAILED, changed(FAILED, {}))).toEqual([
      { ...recovered, by: BY_ADA, endedBy: 'settings' },
    ]);
  });

  it('do not call an integration recovered that was deactivated', () => {
    const told = changes(FAILED, changed(FAILED, { active: false }));
    expect(told).toEqual([{ kind: 'deactivated', ...byAda }]);
  });

  it('put a recovery after the failure in the same second', () => {
    const since = '2026-11-21T08:00:01.900Z';
    const failed = { ...FAILED, trouble: { ...(FAILED.trouble as never as object), since } };
    expect(changes(failed as Integration, ended(failed as Integration))).toMatchObject([
      { kind: 'recovered', at: since },
    ]);
  });

  it('count events that were set aside, and not those that were sent again', () => {
    expect(changes({ ...ACTIVE, setAside: 1 }, { ...ACTIVE, setAside: 3 })).toEqual([
      { kind: 'event-set-aside', at: WRITTEN, by: 'service', count: 2 },
    ]);
    expect(changes({ ...ACTIVE, setAside: 3 }, { ...ACTIVE, setAside: 2 })).toEqual([]);
  });

  it.each([
    ['a streak', { streak: { since: AT, transients: 1, refusals: 0 } }],
    ['a reminder', { remindedAt: AT }],
    ['slowness', { slowness: { score: 3, notedAt: AT } }],
    ['a success', { confirmedAt: AT }],
    ['a wait for the schedule', { trouble: troubled('waiting').trouble }],
  ])('leave out %s', (_, members) => {
    expect(changes(ACTIVE, { ...ACTIVE, ...members } as Integration)).toEqual([]);
  });

  it('leave out the attempts of the hourly retry', () => {
    const { trouble } = FAILED;
    const retried = { ...FAILED, trouble: { ...trouble, claimedAt: WRITTEN } } as Integration;
    expect(changes(FAILED, retried)).toEqual([]);
  });
});
