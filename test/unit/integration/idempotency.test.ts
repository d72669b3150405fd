import { describe, expect, it } from 'vitest';
import { buildDeleteIntegration } from '../../../core/integration/change-integration.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { unsealed } from '../../support/integration/in-memory-secrets.ts';
import { aCreator } from '../../support/integration/integration-creator.ts';
import { ADA, aDocument } from '../../support/integration/integrations.ts';
import { pointersOf, refusalOf } from '../../support/refusals.ts';

const request = { account: 'acme', document: aDocument(), idempotencyKey: 'key-1' };

describe('registering a webhook with an Idempotency-Key', () => {
  it('makes one integration when it is repeated side by side', async () => {
    const { create, integrations } = aCreator();
    const answers = await Promise.all([create(request), create(request), create(request)]);
    expect(new Set(answers.map(({ integration }) => integration.id)).size).toBe(1);
    expect(new Set(answers.map(({ newSecret }) => newSecret)).size).toBe(1);
    expect(integrations.all).toHaveLength(1);
  });

  it('refuses the key with another body, and keeps what there is', async () => {
    const { create, integrations } = aCreator();
    const { integration } = await create(request);
    const document = aDocument({ active: false });
    const refusal = await refusalOf(() => create({ ...request, document }));
    expect(refusal.kind).toBe('idempotency-conflict');
    expect(integrations.all).toEqual([integration]);
  });

  it('takes a body with its members in another order for the same body', async () => {
    const { create, integrations } = aCreator();
    const { integration } = await create(request);
    const reversed = (value: unknown): unknown =>
      typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .map(([name, inner]) => [name, reversed(inner)])
              .reverse(),
          )
        : value;
    const document = reversed(request.document);
    expect(JSON.stringify(document)).not.toBe(JSON.stringify(request.document));
    expect((await create({ ...request, document })).integration.id).toBe(integration.id);
    expect(integrations.all).toHaveLength(1);
  });

  it('keeps the keys of accounts apart', async () => {
    const { create, integrations } = aCreator();
    await create(request);
    await create({ ...request, account: 'globex', document: aDocument({ active: false }) });
    expect(integrations.all.map(({ account }) => account)).toEqual(['acme', 'globex']);
  });

  it('forgets a key after 24 hours, not before, and needs none', async () => {
    const { create, integrations, passHours } = aCreator();
    await create(request);
    passHours(23.9);
    await create(request);
    expect(integrations.all).toHaveLength(1);
    passHours(0.1);
    await create(request);
    expect(integrations.all).toHaveLength(2);
    await create({ ...request, idempotencyKey: undefined });
    expect(integrations.all).toHaveLength(3);
  });

  it('returns the secret made at first, which is not stored as it is', async () => {
    const { create, idempotency } = aCreator();
    const answers = [await create(request), await create(request)];
    expect(answers.map(({ newSecret }) => newSecret)).toEqual(Array(2).fill('made secret 1'));
    expect(JSON.stringify(idempotency.all)).not.toContain('made secret');
  });

  it('returns the secret that it sets, which its record lacks', async () => {
    const { create, idempotency } = aCreator();
    const webhookSecret = 'a secret of mine';
    const document = aDocument({ config: { baseUrl: 'https://x.example.com/', webhookSecret } });
    await create({ ...request, document });
    const { newSecret } = await create({ ...request, document });
    expect(newSecret).toBe(webhookSecret);
    expect(idempotency.all).toEqual([
      expect.not.objectContaining({ madeSecret: expect.anything() }),
    ]);
    expect(JSON.stringify(idempotency.all)).not.toContain(webhookSecret);
  });

  it('does not use up the key when the body was refused', async () => {
    const { create, integrations } = aCreator();
    await refusalOf(() => create({ ...request, document: {} }));
    await create(request);
    expect(integrations.all).toHaveLength(1);
  });

  it('hides a secret that was set by a later change', async () => {
    const { create, integrations } = aCreator();
    const { integration } = await create(request);
    const changed = { ...integration, revision: 2 };
    await integrations.replace(changed, integration);
    expect(await create(request)).toMatchObject({ integration: changed, newSecret: undefined });
  });

  it.each(['', ' ', 'a b', 'é', 'a\nb', 'x'.repeat(256)])(
    'refuses the key %j, naming the header',
    async (idempotencyKey) => {
      const { create, integrations } = aCreator();
      const refusal = await refusalOf(() => create({ ...request, idempotencyKey }));
      expect(refusal.kind).toBe('validation');
      expect(pointersOf(refusal)).toEqual(['Idempotency-Key']);
      expect(integrations.all).toEqual([]);
    },
  );

  it.each(['x', '"8e03978e-40d5-43dd-bc93-6894a57f9324"', 'x'.repeat(255)])(
    'accepts the key %s',
    async (idempotencyKey) => {
      const { create } = aCreator();
      await expect(create({ ...request, idempotencyKey })).resolves.toBeDefined();
    },
  );
});

describe('a creation with a key whose process dies', () => {
  it('leaves both or nothing, and makes one when repeated', async () => {
    for (let calls = 0, died = true; died; calls += 1) {
      const { create, integrations, idempotency } = aCreator();
      const dying = aCreator({ integrations, idempotency, through: dyingAfter(calls) });
      died = await dying.create(request).then(
        () => false,
        () => true,
      );
      expect(idempotency.all).toHaveLength(integrations.all.length);
      const { integration } = await create(request);
      expect(integrations.all).toEqual([integration]);
      expect(idempotency.all).toMatchObject([{ integration: integration.id }]);
    }
  });
});

/** An account with an integration that was created with a key. */
const anAccountWithKeyed = async () => {
  const creator = aCreator();
  const { integration } = await creator.create(request);
  const remove = () =>
    buildDeleteIntegration({
      now: () => new Date('2026-11-20T12:00:00.000Z'),
      pause: async () => {},
      integrations: creator.integrations,
      settingsChange: { beforeDeletion: async () => {}, afterDeletion: async () => {} },
    })({ ...integration, by: ADA, precondition: () => {} });
  return { ...creator, integration, remove };
};

describe('the Idempotency-Key of a deleted integration', () => {
  it.each([
    ['the same body', request.document],
    ['another body', aDocument({ active: false })],
  ])('makes an integration of another id with %s', async (_case, document) => {
    const { create, remove, integrations, integration: deleted } = await anAccountWithKeyed();
    await remove();
    const { integration, newSecret } = await create({ ...request, document });
    expect(integration).toMatchObject({ active: document.active });
    expect(integration.id).not.toBe(deleted.id);
    expect(newSecret).toBe(unsealed(integration).config.webhookSecret);
    expect(integrations.all).toEqual([integration]);
  });

  it('makes one integration when it is repeated again', async () => {
    const { create, remove, integrations } = await anAccountWithKeyed();
    await remove();
    await Promise.all([create(request), create(request)]);
    await create(request);
    expect(integrations.all).toHaveLength(1);
  });

  it('stands for a later integration by now', async () => {
    const { create, remove, passHours, integrations } = await anAccountWithKeyed();
    passHours(24);
    const later = await create(request);
    await remove();
    expect(await create(request)).toEqual(later);
    expect(integrations.all).toEqual([later.integration]);
  });
});
