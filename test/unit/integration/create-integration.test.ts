import { describe, expect, it } from 'vitest';
import { customerLimits } from '../../../core/customer-limits.ts';
import { ADDRESS_REFUSAL } from '../../../core/integration/address-guard.ts';
import { subscribedTo } from '../../../core/integration/settings.ts';
import { unsealed } from '../../support/integration/in-memory-secrets.ts';
import { aCreator } from '../../support/integration/integration-creator.ts';
import { aDocument, anIntegration, byAdaAt } from '../../support/integration/integrations.ts';
import { pointersOf, refusalOf } from '../../support/refusals.ts';

const config = (members: Record<string, unknown>) =>
  aDocument({ config: { baseUrl: 'https://hooks.example.com/in', ...members } });

describe('registering a webhook', () => {
  it('stores it with a new id and the instant, and shows the made secret', async () => {
    const { create, integrations } = aCreator();
    const { integration, newSecret } = await create({ account: 'acme', document: aDocument() });
    expect(integrations.all).toEqual([integration]);
    expect(newSecret).toBe('made secret 1');
    expect(unsealed(integration)).toEqual({
      account: 'acme',
      id: 'id0000000001',
      active: true,
      provider: 'webhook',
      config: { baseUrl: 'https://hooks.example.com/in', webhookSecret: 'made secret 1' },
      settings: { actions: subscribedTo('message.received'), onFatalError: 'pause' },
      revision: 1,
      epoch: 0,
      createdAt: '2026-11-20T12:00:00.000Z',
      updatedAt: '2026-11-20T12:00:00.000Z',
      changedBy: byAdaAt('2026-11-20T12:00:00.000Z'),
      trouble: undefined,
    });
  });

  it('keeps the secrets it is given', async () => {
    const { create } = aCreator();
    const document = config({ webhookSecret: 'a secret of mine', clientSecret: 'another' });
    const { integration } = await create({ account: 'acme', document });
    expect(unsealed(integration).config).toMatchObject({
      webhookSecret: 'a secret of mine',
      clientSecret: 'another',
    });
  });

  it.each(['webhookSecret', 'clientSecret'])(
    'refuses [FILTERED] as %s, because nothing is stored yet',
    async (member) => {
      const { create, integrations } = aCreator();
      const document = config({ [member]: '[FILTERED]' });
      const refusal = await refusalOf(() => create({ account: 'acme', document }));
      expect(pointersOf(refusal)).toEqual([`/config/${member}`]);
      expect(integrations.all).toEqual([]);
    },
  );

  it.each([
    ['an http:// URL', 'http://hooks.example.com/in', 'must be an https:// URL'],
    ['a name that leads inside', 'https://inside.example.com/', ADDRESS_REFUSAL],
  ])('tells of %s beside all else that is wrong', async (_, baseUrl, detail) => {
    const { create } = aCreator({ hosts: { 'inside.example.com': ['10.0.0.1'] } });
    const document = aDocument({
      config: { baseUrl, webhookSecret: 'short', clientSecret: '[FILTERED]' },
      settings: { actions: { 'message.recieved': true } },
    });
    const { faults } = await refusalOf(() => create({ account: 'acme', document }));
    expect(faults).toHaveLength(4);
    expect(faults).toEqual(
      expect.arrayContaining([
        { pointer: '/config/baseUrl', detail },
        {
          pointer: '/config/webhookSecret',
          detail: 'must be 16 to 128 printable ASCII characters',
        },
        {
          pointer: '/config/clientSecret',
          detail: 'must not be [FILTERED]: no value is stored',
        },
        { pointer: '/settings/actions/message.recieved', detail: 'is not a known member' },
      ]),
    );
  });

  it('draws another id when one is in use', async () => {
    const there = anIntegration({ id: 'id0000000001' });
    const { create, integrations } = aCreator({ stored: [there] });
    const { integration } = await create({ account: 'acme', document: aDocument() });
    expect(integrations.all).toEqual([there, integration]);
  });

  it('fails after five ids that are in use', async () => {
    const there = [1, 2, 3, 4, 5].map((id) => anIntegration({ id: `id000000000${id}` }));
    const { create, integrations } = aCreator({ stored: there });
    await expect(create({ account: 'acme', document: aDocument() })).rejects.toThrow(/in use/);
    expect(integrations.all).toEqual(there);
  });
});

const request = { account: 'acme', document: aDocument() };
const keyed = { ...request, idempotencyKey: 'key-1' };

const others = (count: number) =>
  Array.from({ length: count }, (_, index) => anIntegration({ id: `other${index}` }));

const QUOTA = customerLimits.integrationsPerAccount;

const anAccountWith = (count: number) => aCreator({ stored: others(count) });

describe('an account that has all the integrations it may have', () => {
  it('is refused another, and told how many it may have', async () => {
    const { create, integrations } = anAccountWith(QUOTA);
    const refusal = await refusalOf(() => create(request));
    expect(refusal.kind).toBe('integration-quota');
    expect(refusal.message).toContain('100 integrations');
    expect(integrations.all).toHaveLength(QUOTA);
  });

  it('does not count the integrations of other accounts', async () => {
    const { create, integrations } = anAccountWith(QUOTA);
    await create({ ...request, account: 'globex' });
    expect(integrations.all).toHaveLength(QUOTA + 1);
  });

  it('may have another when it has deleted one', async () => {
    const { create, integrations } = anAccountWith(QUOTA);
    await integrations.remove(anIntegration({ id: 'other0' }));
    await create(request);
    expect(integrations.all).toHaveLength(QUOTA);
  });

  it('is answered as before when it repeats the call that made its last', async () => {
    const { create, integrations } = anAccountWith(QUOTA - 1);
    const first = await create(keyed);
    expect(await create(keyed)).toEqual(first);
    expect(integrations.all).toHaveLength(QUOTA);
  });

  it('is answered by the same integration, whichever of two calls made it', async () => {
    const { create, integrations } = anAccountWith(QUOTA - 1);
    const [one, other] = await Promise.all([create(keyed), create(keyed)]);
    expect(one.integration).toEqual(other.integration);
    expect(integrations.all).toHaveLength(QUOTA);
  });

  it('may repeat a refused call with its key when it has deleted one', async () => {
    const { create, integrations } = anAccountWith(QUOTA);
    expect((await refusalOf(() => create(keyed))).kind).toBe('integration-quota');
    await integrations.remove(anIntegration({ id: 'other0' }));
    const { integration } = await create(keyed);
    expect(integrations.all).toContainEqual(integration);
  });

  it('is told of a document that is not valid before it is told of the quota', async () => {
    const { create } = anAccountWith(QUOTA);
    const refusal = await refusalOf(() => create({ ...request, document: {} }));
    expect(refusal.kind).toBe('validation');
  });
});

describe('creations of one account side by side', () => {
  it('are all made within the quota, and exceed it by those counted alike', async () => {
    const { create, integrations } = anAccountWith(QUOTA - 1);
    await Promise.allSettled([create(request), create(request), create(request)]);
    expect(integrations.all.length).toBeLessThanOrEqual(QUOTA - 1 + 3);
    const refusal = await refusalOf(() => create(request));
    expect(refusal.kind).toBe('integration-quota');
  });
});
