import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../../core/event/event-types.ts';
import { parseIntegrationDocument } from '../../../core/integration/integration-document.ts';
import { presentIntegration } from '../../../core/integration/integration-resource.ts';
import { subscribedTo } from '../../../core/integration/settings.ts';
import { Refusal } from '../../../core/refusal.ts';
import { aConfig } from '../../support/integration/in-memory-secrets.ts';
import { aDocument, anIntegration } from '../../support/integration/integrations.ts';
import { pointersOf, refusalOf } from '../../support/refusals.ts';

const BASE_URL = 'https://hooks.example.com/in';
const CONTINUE = { onFatalError: 'continue' };

const faultsOf = async (document: unknown) => {
  const refusal = await refusalOf(() => parseIntegrationDocument(document));
  expect(refusal.kind).toBe('validation');
  return refusal;
};

describe('an Integration as a caller writes it', () => {
  it('is the one of the contract’s sample', () => {
    const actions = Object.fromEntries(EVENT_TYPES.map((type) => [type, type.startsWith('m')]));
    const document = aDocument({ settings: { actions } });
    expect(parseIntegrationDocument(document)).toEqual({
      active: true,
      config: { baseUrl: BASE_URL },
      settings: { actions, onFatalError: 'pause' },
    });
  });

  it('may leave out the JSON-LD members', () => {
    const document = aDocument({ '@type': undefined, '@context': undefined });
    expect(parseIntegrationDocument(document).active).toBe(true);
  });

  const created = { actions: { 'contact.created': true } };
  const ONE = subscribedTo('contact.created');
  // The subscriptions of the web application.
  const DEFAULT = subscribedTo('message.received', 'message.delivered');

  it.each([
    ['nothing that it does not mention', created, ONE, 'pause'],
    ['nothing when its actions are empty', { actions: {} }, subscribedTo(), 'pause'],
    ['the default when it has no actions', {}, DEFAULT, 'pause'],
    ['the default when it sets onFatalError alone', CONTINUE, DEFAULT, 'continue'],
    ['its actions, and pauses when told', { ...created, onFatalError: 'pause' }, ONE, 'pause'],
    ['its actions, and continues when told', { ...created, ...CONTINUE }, ONE, 'continue'],
  ])('is subscribed to %s', (_case, settings, actions, onFatalError) => {
    expect(parseIntegrationDocument(aDocument({ settings })).settings).toEqual({
      actions,
      onFatalError,
    });
  });

  it('may be sent as it was read', () => {
    const failed = anIntegration({
      config: aConfig({ clientSecret: 'for client applications' }),
      trouble: {
        kind: 'failed',
        since: '2026-11-20T12:00:00.000Z',
        statusCode: 500,
        lastAttemptAt: '2026-11-20T12:00:00.000Z',
        nextAttemptAt: '2026-11-20T13:00:00.000Z',
        confirmedOthers: true,
      },
    });
    const presented = JSON.parse(JSON.stringify(presentIntegration(failed, new Date())));
    expect(parseIntegrationDocument(presented)).toEqual({
      active: true,
      config: { baseUrl: BASE_URL, webhookSecret: '[FILTERED]', clientSecret: '[FILTERED]' },
      settings: failed.settings,
    });
  });

  it('may have JSON-LD members at every level', () => {
    const document = aDocument({
      '@id': 'x',
      config: { '@type': 'Config', baseUrl: BASE_URL },
      settings: { '@type': 'Settings', actions: { '@type': 'Actions', 'message.failed': true } },
    });
    expect(parseIntegrationDocument(document)).toEqual({
      active: true,
      config: { baseUrl: BASE_URL },
      settings: { actions: subscribedTo('message.failed'), onFatalError: 'pause' },
    });
  });
});

describe('an Integration that is not valid', () => {
  it.each(['active', 'provider', 'config', 'settings'])('lacks %s', async (member) => {
    const refusal = await faultsOf(aDocument({ [member]: undefined }));
    expect(pointersOf(refusal)).toEqual([`/${member}`]);
  });

  it('lacks config.baseUrl', async () => {
    const { faults } = await faultsOf(aDocument({ config: {} }));
    expect(faults).toEqual([{ pointer: '/config/baseUrl', detail: 'is required' }]);
  });

  it.each([
    [{ active: 'true' }, '/active'],
    [{ active: 1 }, '/active'],
    [{ active: null }, '/active'],
    [{ provider: 'Webhook' }, '/provider'],
    [{ provider: null }, '/provider'],
    [{ config: null }, '/config'],
    [{ config: [] }, '/config'],
    [{ config: 'https://hooks.example.com' }, '/config'],
    [{ config: { baseUrl: null } }, '/config/baseUrl'],
    [{ config: { baseUrl: ['https://hooks.example.com'] } }, '/config/baseUrl'],
    [{ config: { baseUrl: BASE_URL, webhookSecret: 7 } }, '/config/webhookSecret'],
    [{ config: { baseUrl: BASE_URL, webhookSecret: null } }, '/config/webhookSecret'],
    [{ config: { baseUrl: BASE_URL, clientSecret: {} } }, '/config/clientSecret'],
    [{ settings: null }, '/settings'],
    [{ settings: [] }, '/settings'],
    [{ settings: { actions: null } }, '/settings/actions'],
    [{ settings: { actions: ['message.received'] } }, '/settings/actions'],
    [
      { settings: { actions: { 'message.received': 'yes' } } },
      '/settings/actions/message.received',
    ],
    [{ settings: { actions: { 'message.failed': null } } }, '/settings/actions/message.failed'],
  ])('has %j', async (wrong, pointer) => {
    expect(pointersOf(await faultsOf(aDocument(wrong)))).toEqual([pointer]);
  });

  it.each(['stop', 'Continue', '', null, true, ['continue']])(
    'has the unknown onFatalError %j',
    async (onFatalError) => {
      const { faults } = await faultsOf(aDocument({ settings: { onFatalError } }));
      expect(faults).toEqual([
        { pointer: '/settings/onFatalError', detail: 'must be "pause" or "continue"' },
      ]);
    },
  );

  it.each([
    [{ Active: true }, '/Active'],
    [{ revision: 1 }, '/revision'],
    [{ 'a/b~c': 1 }, '/a~1b~0c'],
    [{ '': 1 }, '/'],
    [{ constructor: 1 }, '/constructor'],
    [{ config: { baseUrl: BASE_URL, baseURL: BASE_URL } }, '/config/baseURL'],
    [{ config: { baseUrl: BASE_URL, status: 'active' } }, '/config/status'],
    [{ settings: { action: {} } }, '/settings/action'],
    [{ settings: { actions: { 'message.sent': true } } }, '/settings/actions/message.sent'],
    [{ settings: { actions: { id: true } } }, '/settings/actions/id'],
  ])('has the unknown member of %j', async (unknown, pointer) => {
    const { faults } = await faultsOf(aDocument(unknown));
    expect(faults).toEqual([{ pointer, detail: 'is not a known member' }]);
  });

  it('has a member named __proto__', async () => {
    const document = JSON.parse(JSON.stringify(aDocument()).replace('{', '{"__proto__":{},'));
    expect(pointersOf(await faultsOf(document))).toEqual(['/__proto__']);
  });

  it('is told everything that is wrong at once', async () => {
    const refusal = await faultsOf({ active: 'no', config: { url: 1 }, extra: true });
    expect(pointersOf(refusal).toSorted()).toEqual([
      '/active',
      '/config/baseUrl',
      '/config/url',
      '/extra',
      '/provider',
      '/settings',
    ]);
  });

  it.each([null, undefined, true, 7, 'text', [], [{}]])('is %j', async (document) => {
    expect(pointersOf(await faultsOf(document))).toEqual(['']);
  });

  it('is refused and nothing else, whatever it is', () => {
    const part = fc.oneof(fc.jsonValue(), fc.constant(undefined));
    const almost = fc.record({ active: part, provider: part, config: part, settings: part });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), almost), (document) => {
        try {
          parseIntegrationDocument(document);
        } catch (error) {
          expect(error).toBeInstanceOf(Refusal);
          expect((error as Refusal).faults.length).toBeGreaterThan(0);
        }
      }),
    );
  });
});
