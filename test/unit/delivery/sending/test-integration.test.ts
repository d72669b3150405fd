import { describe, expect, it } from 'vitest';
import { newTestEventId } from '../../../../adapters/crypto/random-ids.ts';
import { EVENT_CATALOGUE } from '../../../../core/event/event-catalogue.ts';
import { EVENT_TYPES } from '../../../../core/event/event-types.ts';
import { subscribedTo } from '../../../../core/integration/settings.ts';
import {
  HALF_PAST_TWELVE,
  OF_INTEGRATION,
  type Stored,
  TEST_EVENT,
  testAndRecoverOf,
  testAndRecoverParts,
} from '../../../support/delivery/recovery/test-and-recover-parts.ts';
import {
  answered,
  ScriptedWebhookEndpoint,
} from '../../../support/delivery/scripted-webhook-endpoint.ts';
import { streak } from '../../../support/delivery/sending/troubled-deliverer.ts';
import { troubled } from '../../../support/delivery/trouble/troubled.ts';
import { dyingAfter } from '../../../support/dying-process.ts';
import { aConfig } from '../../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { pointersOf, refusalOf } from '../../../support/refusals.ts';

const RECEIVED = { eventType: 'message.received' };

const aTest = ({
  stored = anIntegration() as Stored,
  endpoint = new ScriptedWebhookEndpoint(),
} = {}) => {
  const parts = testAndRecoverParts({ stored, endpoint });
  return { ...parts, parts, endpoint, ...testAndRecoverOf(parts) };
};

describe('testing an integration', () => {
  it.each(EVENT_TYPES)('sends the sample of %s, as a delivery of now', async (eventType) => {
    const { testIntegration, endpoint } = aTest();
    await testIntegration(OF_INTEGRATION, { eventType });
    expect(endpoint.requests.map(({ body }) => JSON.parse(body))).toEqual([
      {
        '@context': '/contexts/WebhookDelivery.jsonld',
        '@type': 'WebhookDelivery',
        id: `/integrations/0123456789Ab/deliveries/${TEST_EVENT}`,
        webHook: '/integrations/0123456789Ab',
        action: eventType,
        timestamp: HALF_PAST_TWELVE.toISOString(),
        data: EVENT_CATALOGUE[eventType].sample,
      },
    ]);
  });

  it('sends the sample past a filter', async () => {
    const { settings } = anIntegration();
    const filter = '{"message":{"to":["another"]}}';
    const stored = anIntegration({ settings: { ...settings, filter } });
    const { testIntegration, endpoint } = aTest({ stored });
    await testIntegration(OF_INTEGRATION, RECEIVED);
    expect(endpoint.requests).toHaveLength(1);
  });

  it('tells what was sent, byte for byte, and what came back', async () => {
    const { testIntegration, endpoint } = aTest({
      endpoint: new ScriptedWebhookEndpoint(() => answered(500, 'no such table')),
    });
    const { attempt, request } = await testIntegration(OF_INTEGRATION, RECEIVED);
    expect(request).toEqual(endpoint.requests[0]);
    expect(request.headers).toHaveProperty('X-Service-Signature');
    expect(attempt.outcome).toEqual({ class: 'fatal', result: answered(500, 'no such table') });
  });

  it('shows the own headers without their values', async () => {
    const stored = anIntegration({ config: aConfig({ headers: { 'X-Api-Key': 'a-long-key' } }) });
    const { testIntegration, endpoint } = aTest({ stored });
    const { request } = await testIntegration(OF_INTEGRATION, RECEIVED);
    expect(request.headers).toMatchObject({ 'X-Api-Key': '[FILTERED]' });
    expect(endpoint.requests).toMatchObject([{ headers: { 'X-Api-Key': 'a-long-key' } }]);
  });

  it('is in the delivery log as a test, with the body', async () => {
    const { testIntegration, log, endpoint } = aTest();
    await testIntegration(OF_INTEGRATION, RECEIVED);
    const found = await log.find(OF_INTEGRATION.id, TEST_EVENT);
    expect(found).toMatchObject({
      account: 'acme',
      event: { id: TEST_EVENT, type: 'message.received' },
      latestAttempt: { number: 1, trigger: 'test' },
    });
    expect(found && (await log.bodyOf(found))).toBe(endpoint.requests[0]?.body);
  });

  it.each([
    ['active', anIntegration({ streak: streak({ transients: 19 }) })],
    ['inactive', anIntegration({ active: false })],
    [
      'not subscribed',
      anIntegration({ settings: { actions: subscribedTo(), onFatalError: 'pause' } }),
    ],
    ['busy', troubled('busy')],
    ['failed', troubled('failed')],
  ])('works while the integration is %s, and never changes it', async (_state, stored) => {
    for (const status of [200, 504, 500]) {
      const endpoint = new ScriptedWebhookEndpoint(() => answered(status));
      const { testIntegration, integrations, pendingIds, queuedIds } = aTest({ stored, endpoint });
      await testIntegration(OF_INTEGRATION, RECEIVED);
      expect(endpoint.requests).toHaveLength(1);
      expect(integrations.all).toEqual([stored]);
      expect([pendingIds(), queuedIds()]).toEqual([[], []]);
    }
  });

  it('is not tried again by itself', async () => {
    const endpoint = new ScriptedWebhookEndpoint(() => answered(504));
    const { testIntegration } = aTest({ endpoint });
    const { attempt } = await testIntegration(OF_INTEGRATION, RECEIVED);
    expect(attempt).not.toHaveProperty('nextAttemptAt');
  });

  it('leaves what an attempt came to standing when the log cannot be written', async () => {
    const { testIntegration, log } = aTest();
    Object.assign(log, { write: () => Promise.reject(new Error('throttled')) });
    const made = await testIntegration(OF_INTEGRATION, RECEIVED);
    expect(made).toMatchObject({ recordingFault: new Error('throttled') });
    expect(made.attempt.outcome.class).toBe('delivered');
  });

  it('leaves nothing to a recovery when its process dies before the attempt', async () => {
    const { parts, log, runRecovery, queuedIds } = aTest();
    const { testIntegration } = testAndRecoverOf(parts, { through: dyingAfter(1) });
    const made = await testIntegration(OF_INTEGRATION, RECEIVED);
    expect(made).toMatchObject({ recordingFault: new Error('died') });
    expect(log.deliveries).toEqual([]);
    const recovery = { since: new Date(0), until: HALF_PAST_TWELVE };
    await runRecovery({ ...OF_INTEGRATION, recovery }, () => true);
    expect(queuedIds()).toEqual([]);
  });

  it.each([
    ['no event type', {}, ['/eventType']],
    ['an unknown one', { eventType: 'no_such.type' }, ['/eventType']],
    ['an unknown member', { ...RECEIVED, type: 'x' }, ['/type']],
    ['no object', null, ['']],
  ])('refuses %s by name', async (_case, body, pointers) => {
    const { testIntegration } = aTest();
    const refusal = await refusalOf(() => testIntegration(OF_INTEGRATION, body));
    expect(refusal.kind).toBe('validation');
    expect(pointersOf(refusal)).toEqual(pointers);
  });

  it('ignores members of JSON-LD', async () => {
    const { testIntegration, endpoint } = aTest();
    await testIntegration(OF_INTEGRATION, { ...RECEIVED, '@type': 'WebhookTest' });
    expect(endpoint.requests).toHaveLength(1);
  });

  it.each(['deleted' as const, anIntegration({ account: 'other' })])(
    'is refused for an integration that is not the account’s',
    async (stored) => {
      const { testIntegration, endpoint } = aTest({ stored });
      const refusal = await refusalOf(() => testIntegration(OF_INTEGRATION, RECEIVED));
      expect([refusal.kind, endpoint.requests]).toEqual(['not-found', []]);
    },
  );
});

describe('the id of a test’s event', () => {
  it('is new each time', () => {
    const ids = Array.from({ length: 100 }, newTestEventId);
    expect(new Set(ids).size).toBe(100);
  });
});
