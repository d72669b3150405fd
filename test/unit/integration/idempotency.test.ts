import { describe, expect, it } from 'vitest';
import { buildSettingsChange } from '../../../core/delivery/trouble/settings-change.ts';
import { buildDeleteIntegration } from '../../../core/integration/change-integration.ts';
import { releasingKeys } from '../../../core/integration/idempotency.ts';
import { Refusal } from '../../../core/refusal.ts';
import { InMemoryReplayRequests } from '../../support/delivery/pending/in-memory-replay-requests.ts';
import { InMemoryRetrySchedules } from '../../support/delivery/trouble/in-memory-retry-schedules.ts';
import { dyingAfter } from '../../support/dying-process.ts';
import { InMemoryIntegrations } from '../../support/integration/in-memory-integrations.ts';
import { unsealed } from '../../support/integration/in-memory-secrets.ts';
import { aCreator } from '../../support/integration/integration-creator.ts';
import { ADA, aDocument, anIntegration } from '../../support/integration/integrations.ts';
import { pointersOf, refusalOf } from '../../support/refusals.ts';

const request = { account: 'acme', document: aDocument(), idempotencyKey: 'key-1' };

/** The first call that adds an integration dies before the write. */
const dyingOnce = () => {
  const integrations = new InMemoryIntegrations();
  const { add } = integrations;
  integrations.add = async () => {
    integrations.add = add;
    throw new Error('The process died.');
  };
  return integrations;
};

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

  it('is finished under the same id when the first call died before it wrote', async () => {
    const { create, integrations } = aCreator({ integrations: dyingOnce() });
    await expect(create(request)).rejects.toThrow('The process died.');
    const { integration, newSecret } = await create(request);
    expect(integration.id).toBe('id0000000001');
    expect(integrations.all).toEqual([integration]);
    expect(newSecret).toBe(unsealed(integration).config.webhookSecret);
  });

  it('returns the secret made at first, also when the first call died', async () => {
    const { create, idempotency } = aCreator({ integrations: dyingOnce() });
    await expect(create(request)).rejects.toThrow('The process died.');
    const answers = [await create(request), await create(request), await create(request)];
    expect(answers.map(({ newSecret }) => newSecret)).toEqual(Array(3).fill('made secret 1'));
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

const FIRST = { account: 'acme', id: 'id0000000001' };

const asItIs = <Port extends object>(port: Port): Port => port;

/** An account with an integration that was created with a key. */
const anAccountWithKeyed = async () => {
  const creator = aCreator();
  const { create, integrations, idempotency } = creator;
  const schedules = new InMemoryRetrySchedules();
  const replays = new InMemoryReplayRequests();
  await create(request);

  const remove = ({ through = asItIs, precondition = () => {} } = {}) => {
    const settingsChange = buildSettingsChange({
      schedules: through(schedules),
      replays: through(replays),
    });
    const deleteIntegration = buildDeleteIntegration({
      now: () => new Date('2026-11-20T12:00:00.000Z'),
      pause: async () => {},
      integrations: through(integrations),
      settingsChange: releasingKeys({ settingsChange, idempotency: through(idempotency) }),
    });
    return deleteIntegration({ ...FIRST, by: ADA, precondition });
  };
  return { ...creator, remove };
};

describe('the Idempotency-Key of a deleted integration', () => {
  it.each([
    ['the same body', request.document],
    ['another body', aDocument({ active: false })],
  ])('makes an integration of another id with %s', async (_case, document) => {
    const { create, remove, integrations } = await anAccountWithKeyed();
    await remove();
    const { integration, newSecret } = await create({ ...request, document });
    expect(integration).toMatchObject({ active: document.active });
    expect(integration.id).not.toBe(FIRST.id);
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

  it('is left alone when it stands for a later integration by now', async () => {
    const { create, remove, passHours, integrations } = await anAccountWithKeyed();
    passHours(24);
    const later = await create(request);
    await remove();
    expect(await create(request)).toEqual(later);
    expect(integrations.all).toEqual([later.integration]);
  });

  it('stands for the integration still when the deletion was refused at last', async () => {
    const { create, remove, integrations } = await anAccountWithKeyed();
    const [stored] = integrations.all;
    Object.assign(integrations, { remove: async () => false });
    await refusalOf(() => remove());
    expect((await create(request)).integration).toEqual(stored);
  });
});

describe('a deletion that dies', () => {
  /** Reads, makes the schedule, releases the key, deletes, asks for the clearing, forgets the key. */
  const CALLS = [0, 1, 2, 3, 4, 5, 6, 7];

  it.each(CALLS)('after %i calls, never gives its id to a repeated creation', async (calls) => {
    const { create, remove, integrations } = await anAccountWithKeyed();
    const [stored] = integrations.all;
    await remove({ through: dyingAfter(calls) }).catch(() => {});
    const isDeleted = integrations.all.length === 0;
    const { integration } = await create(request);
    if (isDeleted) expect(integration.id).not.toBe(FIRST.id);
    else expect(integration).toEqual(stored);
    expect(integrations.all).toEqual([integration]);
  });

  it.each(CALLS)('after %i calls, can be repeated', async (calls) => {
    const { create, remove, integrations } = await anAccountWithKeyed();
    await remove({ through: dyingAfter(calls) }).catch(() => {});
    await remove().catch((fault) => expect(fault).toBeInstanceOf(Refusal));
    expect(integrations.all).toEqual([]);
    await create(request);
    expect(integrations.all.map(({ id }) => id)).not.toContain(FIRST.id);
  });

  it('takes the calls above, and is over then', async () => {
    const { remove, integrations, idempotency } = await anAccountWithKeyed();
    await remove({ through: dyingAfter(7) });
    expect(integrations.all).toEqual([]);
    expect(idempotency.all).toEqual([]);
    const dying = await anAccountWithKeyed();
    await expect(dying.remove({ through: dyingAfter(6) })).rejects.toThrow('died');
  });
});
