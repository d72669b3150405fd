import { describe, expect, it } from 'vitest';
import { changesBetween, type IntegrationWrite } from '../../../core/changes/changes-between.ts';
import type { Integration } from '../../../core/integration/integration.ts';
import { subscribedTo } from '../../../core/integration/settings.ts';
import { troubled } from '../../support/delivery/trouble/troubled.ts';
import { aConfig } from '../../support/integration/in-memory-secrets.ts';
import { ADA, anIntegration, byAdaAt } from '../../support/integration/integrations.ts';

const AT = '2026-11-21T08:00:00.000Z';
const WRITTEN = '2026-11-21T08:00:01.000Z';
const ACTIVE = anIntegration({ createdAt: AT, changedBy: byAdaAt(AT) });
const SERVICE = { kind: 'service' };
const [BUSY, FAILED] = [troubled('busy'), troubled('failed')];

const changes = (before?: Integration, after?: Integration) => {
  const write: IntegrationWrite = { id: 'chg_7', writtenAt: new Date(WRITTEN), before, after };
  return changesBetween(write).map(({ id, account, integration, baseUrl, ...told }) => {
    expect(id).toBe(`chg_7-${told.kind}`);
    expect({ account, integration }).toEqual({ account: 'acme', integration: ACTIVE.id });
    expect(baseUrl).toMatch(/^https:\/\/[a-z.]+\/…?$/);
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
    expect(changes(undefined, ACTIVE)).toEqual([{ kind: 'created', at: AT, by: ADA }]);
    const deleted = { ...ACTIVE, deletedBy: byAdaAt(WRITTEN) };
    expect(changes(deleted, undefined)).toEqual([{ kind: 'deleted', at: WRITTEN, by: ADA }]);
  });

  it('name the changed settings with their values', () => {
    const after = changed(ACTIVE, {
      config: { ...ACTIVE.config, baseUrl: 'https://new.example.com/' },
      settings: { actions: subscribedTo('message.received'), onFatalError: 'continue' },
    });
    expect(changes(ACTIVE, after)).toEqual([
      {
        kind: 'settings-changed',
        at: WRITTEN,
        by: ADA,
        members: [
          {
            member: 'config.baseUrl',
            from: 'https://hooks.example.com/…',
            to: 'https://new.example.com/',
          },
          { member: 'settings.actions.message.delivered', from: true, to: false },
          { member: 'settings.onFatalError', from: 'pause', to: 'continue' },
        ],
      },
    ]);
  });

  it('have a filter as text', () => {
    const filtered = (filter?: string) => ({ ...ACTIVE, settings: { ...ACTIVE.settings, filter } });
    const [old, current] = [filtered('{"a":["x"]}'), filtered('{"a":["y"]}')];
    const member = 'settings.filter';
    expect(changes(old, changed(old, { settings: current.settings }))).toMatchObject([
      { members: [{ member, from: '{"a":["x"]}', to: '{"a":["y"]}' }] },
    ]);
    expect(changes(old, changed(old, { settings: ACTIVE.settings }))).toMatchObject([
      { members: [{ member, from: '{"a":["x"]}' }] },
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
    const address = { member: 'config.baseUrl' };
    expect(told.slice(1)).toMatchObject([[{ members: [address] }], [{ members: [address] }]]);
  });

  it('tell that a secret changed, without its value', () => {
    const config = aConfig({ webhookSecret: 'another secret', clientSecret: 'for them' });
    const told = changes(ACTIVE, changed(ACTIVE, { config }));
    expect(told).toEqual([
      {
        kind: 'settings-changed',
        at: WRITTEN,
        by: ADA,
        members: [{ member: 'config.clientSecret' }],
      },
      { kind: 'secret-rotated', at: WRITTEN, by: ADA },
    ]);
  });

  it('tell that a rotation was prepared, and that it was ended', () => {
    const prepared = { ...ACTIVE, config: aConfig({ nextWebhookSecret: 'the next secret' }) };
    const { nextWebhookSecret, ...config } = prepared.config;
    if (nextWebhookSecret === undefined) throw new Error('There is no next secret.');
    expect(changes(ACTIVE, changed(ACTIVE, { config: prepared.config }))).toEqual([
      {
        kind: 'settings-changed',
        at: WRITTEN,
        by: ADA,
        members: [{ member: 'config.nextWebhookSecret' }],
      },
    ]);
    const switched = { ...config, webhookSecret: nextWebhookSecret };
    expect(changes(prepared, changed(prepared, { config: switched }))).toEqual([
      { kind: 'secret-rotated', at: WRITTEN, by: ADA },
    ]);
  });

  it('name the added, changed and removed headers, without their values', () => {
    const headers = { Kept: 'SECRET-1', Changed: 'SECRET-2', Removed: 'SECRET-3' };
    const before = { ...ACTIVE, config: aConfig({ headers }) };
    const { Removed: _, ...others } = headers;
    const config = aConfig({ headers: { ...others, Changed: 'SECRET-4', Added: 'SECRET-5' } });
    const told = changes(before, changed(before, { config }));
    const members = ['Changed', 'Removed', 'Added'].map((name) => ({
      member: `config.headers.${name}`,
    }));
    expect(told).toEqual([{ kind: 'settings-changed', at: WRITTEN, by: ADA, members }]);
  });

  it('do not tell of a header whose name has another case', () => {
    const before = { ...ACTIVE, config: aConfig({ headers: { 'X-Key': 'SECRET' } }) };
    const config = aConfig({ headers: { 'x-key': 'SECRET' } });
    expect(changes(before, changed(before, { config }))).toEqual([]);
  });

  it('have the description of the time, and its value before and after', () => {
    const before = { ...ACTIVE, description: 'Old' };
    const told = changes(before, changed(before, { description: 'New' }));
    const members = [{ member: 'description', from: 'Old', to: 'New' }];
    expect(told).toMatchObject([{ description: 'New', members }]);
    expect(changes(before, changed(before, { description: undefined }))).toEqual([
      expect.objectContaining({ members: [{ member: 'description', from: 'Old' }] }),
    ]);
  });

  it.each([
    ['deactivated', true],
    ['activated', false],
  ])('tell that it was %s', (kind, active) => {
    const before = { ...ACTIVE, active };
    const told = changes(before, changed(before, { active: !active }));
    expect(told).toEqual([{ kind, at: WRITTEN, by: ADA }]);
  });

  it.each([
    ['busy', BUSY],
    ['failed', FAILED],
  ])('tell that it became %s, and the cause', (kind, after) => {
    const { since = '', statusCode, reason } = after.trouble ?? {};
    const cause = statusCode === undefined ? { reason } : { statusCode };
    for (const before of [ACTIVE, troubled('waiting')]) {
      expect(changes(before, after)).toEqual([{ kind, at: since, by: SERVICE, since, ...cause }]);
    }
  });

  it('tell how its trouble ended', () => {
    const { since, statusCode } = FAILED.trouble ?? {};
    const recovered = { kind: 'recovered', at: WRITTEN, since, statusCode };
    const confirmed = { ...ended(FAILED), confirmedAt: WRITTEN };
    for (const before of [FAILED, { ...FAILED, confirmedAt: WRITTEN }]) {
      expect(changes(before, confirmed)).toEqual([
        { ...recovered, by: SERVICE, endedBy: 'success' },
      ]);
    }
    const before = { ...FAILED, confirmedAt: '2026-11-20T11:00:00.000Z' };
    for (const one of [FAILED, before]) {
      expect(changes(one, ended(one))).toEqual([
        { ...recovered, by: SERVICE, endedBy: 'nothing-pending' },
      ]);
    }
    expect(changes(FAILED, { ...ended(FAILED), changedBy: byAdaAt(WRITTEN) })).toEqual([
      { ...recovered, by: ADA, endedBy: 'request' },
    ]);
    expect(changes(FAILED, changed(FAILED, {}))).toEqual([
      { ...recovered, by: ADA, endedBy: 'settings' },
    ]);
  });

  it('do not call an integration recovered that was deactivated', () => {
    const told = changes(FAILED, changed(FAILED, { active: false }));
    expect(told).toEqual([{ kind: 'deactivated', at: WRITTEN, by: ADA }]);
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
      { kind: 'event-set-aside', at: WRITTEN, by: SERVICE, count: 2 },
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
