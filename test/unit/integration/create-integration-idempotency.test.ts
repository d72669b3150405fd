import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Integration } from '../../../core/integration/integration.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { unsealed } from '../../support/integration/in-memory-secrets.ts';
import { aCreator } from '../../support/integration/integration-creator.ts';
import { aDocument, anIntegration } from '../../support/integration/integrations.ts';
import { pointersOf, refusalOf } from '../../support/refusals.ts';

const anything = expect.anything();

const request = { account: 'acme', document: aDocument(), idempotencyKey: 'key-1' };

/** Fails to add as often as told, as a process does that dies before the write. */
class CrashingIntegrations extends InMemoryIntegrations {
  crashes = 1;

  override async add(integration: Integration): Promise<'added' | 'exists'> {
    this.crashes -= 1;
    if (this.crashes >= 0) throw new Error('The process died.');
    return super.add(integration);
  }
}

describe('registering a webhook with an Idempotency-Key', () => {
  it('makes one integration when it is repeated side by side', async () => {
    const { create, integrations } = aCreator();
    const answers = await Promise.all([create(request), create(request), create(request)]);
    expect(new Set(answers.map(({ integration }) => integration.id)).size).toBe(1);
    expect(new Set(answers.map(({ newSecret }) => newSecret)).size).toBe(1);
    expect(integrations.all).toHaveLength(1);
  });

  it('makes two integrations without a key', async () => {
    const { create, integrations } = aCreator();
    await create({ ...request, idempotencyKey: undefined });
    await create({ ...request, idempotencyKey: undefined });
    expect(integrations.all).toHaveLength(2);
  });

  it('refuses the key with another body, and keeps what there is', async () => {
    const { create, integrations } = aCreator();
    const { integration } = await create(request);
    const document = aDocument({ active: false });
    const refusal = await refusalOf(() => create({ ...request, document }));
    expect(refusal.kind).toBe('idempotency-conflict');
    expect(integrations.all).toEqual([integration]);
  });

  it('keeps the keys of accounts apart', async () => {
    const { create, integrations } = aCreator();
    await create(request);
    await create({ ...request, account: 'globex', document: aDocument({ active: false }) });
    expect(integrations.all.map(({ account }) => account)).toEqual(['acme', 'globex']);
  });

  it('forgets a key after 24 hours, not before', async () => {
    const { create, integrations, passHours } = aCreator();
    await create(request);
    passHours(23.9);
    await create(request);
    expect(integrations.all).toHaveLength(1);
    passHours(0.1);
    await create(request);
    expect(integrations.all).toHaveLength(2);
  });

  it('is finished under the same id when the first call died before it wrote', async () => {
    const { create, integrations } = aCreator({ integrations: new CrashingIntegrations() });
    await expect(create(request)).rejects.toThrow('The process died.');
    const { integration, newSecret } = await create(request);
    expect(integration.id).toBe('id0000000001');
    expect(integrations.all).toEqual([integration]);
    expect(newSecret).toBe(unsealed(integration).config.webhookSecret);
  });

  it('is answered with the secret that was made at first, also when the first call died', async () => {
    const { create, idempotency } = aCreator({ integrations: new CrashingIntegrations() });
    await expect(create(request)).rejects.toThrow('The process died.');

    const answers = [await create(request), await create(request), await create(request)];

    expect(answers.map(({ newSecret }) => newSecret)).toEqual(Array(3).fill('made secret 1'));
    expect(JSON.stringify(idempotency.all)).not.toContain('made secret');
  });

  it('is answered with the secret that it sets, which its record does not have', async () => {
    const { create, idempotency } = aCreator();
    const webhookSecret = 'a secret of mine';
    const document = aDocument({ config: { baseUrl: 'https://x.example.com/', webhookSecret } });

    await create({ ...request, document });
    const { newSecret } = await create({ ...request, document });

    expect(newSecret).toBe(webhookSecret);
    expect(idempotency.all).toEqual([expect.not.objectContaining({ madeSecret: anything })]);
    expect(JSON.stringify(idempotency.all)).not.toContain(webhookSecret);
  });

  it('finds what was created before secrets were sealed, and shows its secret', async () => {
    const before = anIntegration({ id: 'id_before' });
    const { create, idempotency, integrations } = aCreator({ stored: [before] });
    const body = JSON.stringify(request.document);
    await idempotency.claim({
      account: 'acme',
      key: 'key-1',
      bodyHash: createHash('sha256').update(body).digest('hex'),
      integration: before.id,
      expiresAt: new Date('2026-11-21T00:00:00.000Z'),
    });

    expect(await create(request)).toMatchObject({
      integration: before,
      newSecret: before.config.webhookSecret,
    });
    expect(integrations.all).toEqual([before]);
    const document = aDocument({ active: false });
    const refusal = await refusalOf(() => create({ ...request, document }));
    expect(refusal.kind).toBe('idempotency-conflict');
  });

  it('does not use up the key when the body was refused', async () => {
    const { create, integrations } = aCreator();
    await refusalOf(() => create({ ...request, document: {} }));
    await create(request);
    expect(integrations.all).toHaveLength(1);
  });

  it('hides a secret that was set by a later change', async () => {
    const changed = anIntegration({ id: 'id0000000001', revision: 2 });
    const { create } = aCreator({ stored: [changed] });
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
