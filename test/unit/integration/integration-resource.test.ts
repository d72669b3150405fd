import { describe, expect, it } from 'vitest';
import type { IntegrationReader } from '../../../core/integration/integration.ts';
import {
  CONTINUE_ADVICE,
  entityTag,
  integrationResource,
  presentIntegration,
} from '../../../core/integration/integration-resource.ts';
import { buildGetIntegration } from '../../../core/integration/read-integration.ts';
import {
  type Actions,
  type OnFatalError,
  subscribedTo,
} from '../../../core/integration/settings.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { aConfig } from '../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../support/integration/integrations.ts';
import { refusalOf } from '../../support/refusals.ts';
import { untouchable } from '../../support/untouchable.ts';

describe('reading an integration', () => {
  const integrations = new InMemoryIntegrations(anIntegration());
  const getIntegration = buildGetIntegration({ integrations });

  it('gives the account its own', async () => {
    expect(await getIntegration('acme', '0123456789Ab')).toEqual(anIntegration());
  });

  it('tells another account the same as it tells of an unknown id', async () => {
    const others = await refusalOf(() => getIntegration('globex', '0123456789Ab'));
    const unknown = await refusalOf(() => getIntegration('acme', 'unknown00000'));
    expect(others.kind).toBe('not-found');
    expect({ ...others, message: others.message }).toEqual({
      ...unknown,
      message: unknown.message,
    });
  });

  it.each(['', '0123456789A', '0123456789Abc', '0123456789A/', '../../admin', 'ñ123456789Ab'])(
    'does not look for the id %j, which cannot be one',
    async (id) => {
      const guarded = buildGetIntegration({
        integrations: untouchable<IntegrationReader>('the store of integrations'),
      });
      expect((await refusalOf(() => guarded('acme', id))).kind).toBe('not-found');
    },
  );
});

const NOW = new Date('2026-11-21T08:00:00.000Z');
const withSecrets = anIntegration({
  config: aConfig({ clientSecret: 'for client applications' }),
});

const FAILURE = {
  since: '2026-11-20T12:00:00.000Z',
  statusCode: 500,
  lastAttemptAt: '2026-11-20T12:00:00.000Z',
  nextAttemptAt: '2026-11-20T13:00:00.000Z',
};

describe('an Integration as the API shows it', () => {
  it('has the contract’s members and those the service sets', () => {
    expect(presentIntegration(anIntegration(), NOW)).toEqual({
      '@context': '/contexts/Integration.jsonld',
      '@type': 'Integration',
      id: '/integrations/0123456789Ab',
      active: true,
      provider: 'webhook',
      config: { baseUrl: 'https://hooks.example.com/in', webhookSecret: '[FILTERED]' },
      settings: anIntegration().settings,
      status: 'active',
      isHealthy: true,
      setAsideEvents: 0,
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
    });
  });

  it('shows an event type newer than the integration as not subscribed', () => {
    const { 'contact.created': _, ...older } = subscribedTo('message.received');
    const stored = anIntegration({
      settings: { actions: older as Actions, onFatalError: 'pause' },
    });
    expect(presentIntegration(stored, NOW).settings.actions).toEqual(
      subscribedTo('message.received'),
    );
  });

  it('says what happens on a fatal error', () => {
    const { settings } = anIntegration();
    const shown = (onFatalError: OnFatalError) =>
      presentIntegration(anIntegration({ settings: { ...settings, onFatalError } }), NOW);
    expect(shown('pause').settings.onFatalError).toBe('pause');
    expect(shown('continue').settings.onFatalError).toBe('continue');
  });

  it('shows no secret', () => {
    const text = JSON.stringify(presentIntegration(withSecrets, NOW));
    expect(text).not.toMatch(/sealed|fingerprint|for client applications/);
  });

  it('shows the webhook secret to the call that set it, never the other', () => {
    expect(presentIntegration(withSecrets, NOW, { newSecret: 'the new secret' }).config).toEqual({
      baseUrl: 'https://hooks.example.com/in',
      webhookSecret: 'the new secret',
      clientSecret: '[FILTERED]',
    });
  });

  const rotated = (...expiresAt: string[]) =>
    anIntegration({
      config: aConfig({
        previousSecrets: expiresAt.map((at) => ({
          secret: 'a secret of yesterday',
          expiresAt: at,
        })),
      }),
    });

  it('shows until when it signs with a previous secret, and not the secret', () => {
    const shown = presentIntegration(
      rotated('2026-11-21T09:00:00.000Z', '2026-11-22T08:00:00.000Z', '2026-11-21T07:00:00.000Z'),
      NOW,
    );
    expect(shown.previousSecretExpiresAt).toBe('2026-11-22T08:00:00.000Z');
    expect(JSON.stringify(shown)).not.toMatch(/sealed|fingerprint|a secret of yesterday/);
  });

  it('no longer mentions a previous secret from the instant it expires', () => {
    const shown = presentIntegration(rotated('2026-11-21T08:00:00.000Z'), NOW);
    expect(shown).not.toHaveProperty('previousSecretExpiresAt');
  });

  it.each([
    anIntegration(),
    anIntegration({ active: false }),
    withSecrets,
    rotated('2026-11-22T08:00:00.000Z'),
    anIntegration({ setAside: 3 }),
    anIntegration({ setAside: -1 }),
    anIntegration({ trouble: { kind: 'busy', ...FAILURE } }),
    anIntegration({ trouble: { kind: 'failed', ...FAILURE } }),
    anIntegration({ trouble: { kind: 'failed', ...FAILURE, confirmedOthers: true } }),
    anIntegration({
      trouble: { kind: 'failed', ...FAILURE, statusCode: undefined, reason: 'it was refused' },
    }),
  ])('is what its schema says, whatever state it is in (%#)', (integration) => {
    for (const newSecret of ['the new secret', undefined]) {
      const shown = presentIntegration(integration, NOW, { newSecret });
      const asSent = JSON.parse(JSON.stringify(shown));
      expect(integrationResource.parse(asSent)).toEqual(asSent);
    }
  });

  it('is failed and unhealthy, and says since when and why', () => {
    const failed = anIntegration({ trouble: { kind: 'failed', ...FAILURE } });
    expect(presentIntegration(failed, NOW)).toMatchObject({
      status: 'failed',
      isHealthy: false,
      failure: FAILURE,
    });
  });

  const failedWith = (onFatalError: OnFatalError, confirmedOthers?: boolean) =>
    presentIntegration(
      anIntegration({
        settings: { ...anIntegration().settings, onFatalError },
        trouble: {
          kind: 'failed',
          ...FAILURE,
          ...(confirmedOthers !== undefined && { confirmedOthers }),
        },
      }),
      NOW,
    ).failure;

  it('advises to continue when it paused while others were confirmed', () => {
    expect(failedWith('pause', true)).toEqual({ ...FAILURE, advice: CONTINUE_ADVICE });
    expect(CONTINUE_ADVICE).toContain('settings.onFatalError to "continue"');
  });

  it.each([
    ['its endpoint confirmed no other event', 'pause', false],
    ['it is not known whether its endpoint confirmed other events', 'pause', undefined],
    ['it continues already', 'continue', true],
  ] as const)('advises nothing when %s', (_case, onFatalError, confirmedOthers) => {
    expect(failedWith(onFatalError, confirmedOthers)).toEqual(FAILURE);
  });

  it.each([
    ['busy', 'busy'],
    ['active', 'waiting'],
  ] as const)('is %s and healthy while it is %s', (status, kind) => {
    const shown = presentIntegration(anIntegration({ trouble: { kind, ...FAILURE } }), NOW);
    expect(shown).toMatchObject({ status, isHealthy: true });
    expect(shown).not.toHaveProperty('failure');
  });

  it('does not show what only the retries need', () => {
    const inner = {
      claimedAt: FAILURE.lastAttemptAt,
      claimedBy: 'm1',
      event: 'evt_1',
      walkedTo: 'p',
    };
    const trouble = { kind: 'failed', ...FAILURE, ...inner } as const;
    expect(presentIntegration(anIntegration({ trouble }), NOW).failure).toEqual(FAILURE);
  });

  it.each([
    [3, 3],
    [0, 0],
    // A process died after it set the event aside, and before it counted that.
    [-1, 0],
  ])('counts what is set aside: of %i stored, %i', (setAside, shown) => {
    expect(presentIntegration(anIntegration({ setAside }), NOW).setAsideEvents).toBe(shown);
  });

  it('is inactive before it is anything else', () => {
    const failed = anIntegration({ active: false, trouble: { kind: 'failed', ...FAILURE } });
    expect(presentIntegration(failed, NOW).status).toBe('inactive');
  });
});

describe('the ETag of an Integration', () => {
  it('is quoted, and changes with id and revision', () => {
    const tags = [
      anIntegration(),
      anIntegration({ revision: 2 }),
      anIntegration({ id: 'ZZZZZZZZZZZZ' }),
    ].map(entityTag);
    expect(tags.every((tag) => /^"[!#-~]+"$/.test(tag))).toBe(true);
    expect(new Set(tags).size).toBe(3);
  });
});
