import { describe, expect, it } from 'vitest';
import { unsealed } from '../../../support/integration/in-memory-secrets.ts';
import { aDocument, anIntegration } from '../../../support/integration/integrations.ts';
import { documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { changingHandlers } from '../../../support/lambdas/changing-handler.ts';

const { config } = anIntegration();
const FIRST = config.webhookSecret;
const TOMORROW = '2026-11-22T08:00:00.000Z';
const OWN = 'another secret of theirs';

const rotating = (stored = anIntegration()) => {
  const handlers = changingHandlers({ stored });
  const secrets = () => {
    const [{ config } = expect.fail('it is gone')] = handlers.integrations.all.map(unsealed);
    return { webhookSecret: config.webhookSecret, previousSecrets: config.previousSecrets };
  };
  const rotate = async (body?: unknown) => {
    const result = await handlers.send('POST', { body });
    return { ...result, document: documentOf(result) };
  };
  return { ...handlers, rotate, secrets };
};

describe('POST /integrations/{id}/rotate-secret', () => {
  it('makes a new secret, shows it, and keeps the one before for a day', async () => {
    const { rotate, secrets } = rotating();
    const { statusCode, headers, document } = await rotate({});
    expect([statusCode, headers?.ETag]).toEqual([200, '"0123456789Ab-2"']);
    expect(document).toMatchObject({
      id: '/integrations/0123456789Ab',
      config: { webhookSecret: 'made webhook secret 1' },
      previousSecretExpiresAt: TOMORROW,
      updatedAt: '2026-11-21T08:00:00.000Z',
    });
    expect(secrets()).toEqual({
      webhookSecret: 'made webhook secret 1',
      previousSecrets: [{ secret: FIRST, expiresAt: TOMORROW }],
    });
  });

  it.each([undefined, ''])('needs no body, and no Content-Type of one: %j', async (text) => {
    const { send } = rotating();
    const result = await send('POST', { text, headers: { 'content-type': [] } });
    expect(documentOf(result)).toMatchObject({ previousSecretExpiresAt: TOMORROW });
  });

  it('sets a secret of the caller’s own, and shows it', async () => {
    const { rotate, secrets } = rotating();
    const { document } = await rotate({ webhookSecret: OWN, '@type': 'SecretRotation' });
    expect(document.config).toMatchObject({ webhookSecret: OWN });
    expect(secrets().webhookSecret).toBe(OWN);
  });

  it('never shows the secret from before, nor the client secret', async () => {
    const { rotate } = rotating(anIntegration({ config: { ...config, clientSecret: 'for them' } }));
    const { body, document } = await rotate();
    expect(body).not.toContain(FIRST);
    expect(document.config).toMatchObject({ clientSecret: '[FILTERED]' });
  });

  it('changes nothing but the secret', async () => {
    const stored = anIntegration({
      active: false,
      config: { ...config, clientSecret: 'for clients' },
    });
    const { rotate, integrations } = rotating(stored);
    await rotate({ webhookSecret: OWN, overlapSeconds: 0 });
    expect(integrations.all.map(unsealed)).toEqual([
      {
        ...stored,
        config: { ...stored.config, webhookSecret: OWN },
        revision: 2,
        epoch: 2,
        updatedAt: '2026-11-21T08:00:00.000Z',
      },
    ]);
  });

  it.each([
    [1, '2026-11-21T08:00:01.000Z'],
    [604_800, '2026-11-28T08:00:00.000Z'],
  ])('keeps the secret from before for %i seconds when told to', async (overlapSeconds, at) => {
    const { rotate } = rotating();
    const { document } = await rotate({ overlapSeconds });
    expect(document.previousSecretExpiresAt).toBe(at);
  });

  it('keeps no previous secret at all without an overlap', async () => {
    const { rotate, secrets } = rotating();
    await rotate();
    const { document } = await rotate({ overlapSeconds: 0 });
    expect(document).not.toHaveProperty('previousSecretExpiresAt');
    expect(secrets()).toEqual({ webhookSecret: 'made webhook secret 2' });
  });

  it('does not cut off the receiver when it is repeated because its answer was lost', async () => {
    const { rotate, secrets, passSeconds } = rotating();
    await rotate();
    passSeconds(10);
    await rotate();
    expect(secrets().previousSecrets).toEqual([
      { secret: 'made webhook secret 1', expiresAt: '2026-11-22T08:00:10.000Z' },
      { secret: FIRST, expiresAt: TOMORROW },
    ]);
  });

  it('takes a secret of the caller’s own for no previous one of itself when repeated', async () => {
    const { rotate, secrets } = rotating();
    await rotate({ webhookSecret: OWN });
    await rotate({ webhookSecret: OWN });
    const previousSecrets = [{ secret: FIRST, expiresAt: TOMORROW }];
    expect(secrets()).toEqual({ webhookSecret: OWN, previousSecrets });
  });

  it('keeps four previous secrets at most, the newest', async () => {
    const { rotate, secrets } = rotating();
    for (let rotations = 0; rotations < 6; rotations += 1) await rotate();
    expect(secrets().webhookSecret).toBe('made webhook secret 6');
    expect(secrets().previousSecrets?.map(({ secret }) => secret)).toEqual([
      'made webhook secret 5',
      'made webhook secret 4',
      'made webhook secret 3',
      'made webhook secret 2',
    ]);
  });

  it('drops those that have expired', async () => {
    const { rotate, secrets, passSeconds } = rotating();
    await rotate({ overlapSeconds: 60 });
    passSeconds(60);
    await rotate({ overlapSeconds: 30 });
    expect(secrets().previousSecrets).toMatchObject([{ secret: 'made webhook secret 1' }]);
  });

  it('ends a failure and has what is pending replayed', async () => {
    const failed = anIntegration({
      trouble: {
        kind: 'failed',
        since: '2026-11-20T12:00:00.000Z',
        statusCode: 401,
        lastAttemptAt: '2026-11-20T12:00:00.000Z',
        nextAttemptAt: '2026-11-20T13:00:00.000Z',
      },
    });
    const { rotate, replays } = rotating(failed);
    expect((await rotate()).document).toMatchObject({ status: 'active', isHealthy: true });
    expect(replays.requested).toEqual([{ account: 'acme', id: '0123456789Ab' }]);
  });

  it('logs who rotated what, and no secret', async () => {
    const { rotate, logger } = rotating();
    await rotate({ webhookSecret: 'PRIVATE webhook secret' });
    expect(logger.lines).toEqual([
      {
        level: 'info',
        name: 'integration.secret_rotated',
        fields: { account: 'acme', user: 'usr_1', integration: '0123456789Ab' },
      },
    ]);
  });
});

describe('a rotation that is not valid', () => {
  it.each([
    [{ webhookSecret: 'too short' }, '/webhookSecret'],
    [{ webhookSecret: '[FILTERED]' }, '/webhookSecret'],
    [{ webhookSecret: 'x'.repeat(129) }, '/webhookSecret'],
    [{ webhookSecret: 'whsec_this is not base64' }, '/webhookSecret'],
    [{ webhookSecret: 'a secret with an é in it' }, '/webhookSecret'],
    [{ webhookSecret: null }, '/webhookSecret'],
    [{ overlapSeconds: -1 }, '/overlapSeconds'],
    [{ overlapSeconds: 604_801 }, '/overlapSeconds'],
    [{ overlapSeconds: 1.5 }, '/overlapSeconds'],
    [{ overlapSeconds: 1e300 }, '/overlapSeconds'],
    [{ overlapSeconds: '60' }, '/overlapSeconds'],
    [{ overlapSeconds: null }, '/overlapSeconds'],
    [{ overlap: 60 }, '/overlap'],
    [{ config: {} }, '/config'],
    [null, ''],
    [[], ''],
    ['rotate', ''],
  ])('is refused, and changes nothing: %j', async (body, pointer) => {
    const { rotate, integrations } = rotating();
    const { statusCode, document } = await rotate(body);
    expect(statusCode).toBe(422);
    expect(document.detail).toBe('The request body is not a valid SecretRotation.');
    expect(new Set((document.errors as { pointer: string }[]).map((e) => e.pointer))).toEqual(
      new Set([pointer]),
    );
    expect(integrations.all).toEqual([anIntegration()]);
  });

  it('is told what an overlap may be', async () => {
    for (const overlapSeconds of [-1, 604_801, 0.5, true]) {
      const { document } = await rotating().rotate({ overlapSeconds });
      expect(document.errors).toEqual([
        { pointer: '/overlapSeconds', detail: 'must be a whole number from 0 to 604800' },
      ]);
    }
  });
});

describe('a change of settings after a rotation', () => {
  const previousSecrets = [{ secret: FIRST, expiresAt: TOMORROW }];

  it.each([
    ['PUT', aDocument()],
    ['PUT', aDocument({ config: { baseUrl: config.baseUrl, webhookSecret: '[FILTERED]' } })],
    ['PATCH', { active: false }],
    ['PATCH', { config: { webhookSecret: '[FILTERED]' } }],
    ['PATCH', { config: { webhookSecret: null } }],
  ] as const)('keeps both secrets when it sets none: %s %j', async (method, body) => {
    const { rotate, send, secrets } = rotating();
    await rotate();
    const result = await send(method, { body });
    expect(documentOf(result)).toMatchObject({ previousSecretExpiresAt: TOMORROW });
    expect(secrets()).toEqual({ webhookSecret: 'made webhook secret 1', previousSecrets });
  });

  it.each([
    ['PUT', aDocument({ config: { baseUrl: config.baseUrl, webhookSecret: OWN } })],
    ['PATCH', { config: { webhookSecret: OWN } }],
  ] as const)('keeps the one that it sets only: %s', async (method, body) => {
    const { rotate, send, secrets } = rotating();
    await rotate();
    const result = await send(method, { body });
    expect(documentOf(result)).not.toHaveProperty('previousSecretExpiresAt');
    expect(secrets()).toEqual({ webhookSecret: OWN });
  });

  it.each(['PUT', 'PATCH'] as const)(
    'keeps both when it is the answer of the rotation, sent back: %s',
    async (method) => {
      const { rotate, send, secrets } = rotating();
      const { document } = await rotate();
      expect((await send(method, { body: document })).statusCode).toBe(200);
      expect(secrets()).toEqual({ webhookSecret: 'made webhook secret 1', previousSecrets });
    },
  );

  it('no longer stores a previous secret that has expired', async () => {
    const { rotate, send, secrets, passSeconds } = rotating();
    await rotate();
    passSeconds(86_400);
    await send('PATCH', { body: {} });
    expect(secrets()).toEqual({ webhookSecret: 'made webhook secret 1' });
  });
});
