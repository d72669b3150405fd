import { describe, expect, it } from 'vitest';
import { ADDRESS_REFUSAL } from '../../../core/integration/address-guard.ts';
import { subscribedTo } from '../../../core/integration/integration.ts';
import { unsealed } from '../../support/integration/in-memory-secrets.ts';
import { aCreator } from '../../support/integration/integration-creator.ts';
import { aDocument, anIntegration } from '../../support/integration/integrations.ts';
import { pointersOf, refusalOf } from '../../support/refusals.ts';

const config = (members: Record<string, unknown>) =>
  aDocument({ config: { baseUrl: 'https://hooks.example.com/in', ...members } });

describe('registering a webhook', () => {
  it('stores it under a new id, healthy, with the instant, and shows the secret that it makes', async () => {
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
          detail: 'must not be [FILTERED]: there is none stored yet',
        },
        { pointer: '/settings/actions/message.recieved', detail: 'is not a known member' },
      ]),
    );
  });

  it('fails rather than overwrite when an id is drawn twice', async () => {
    const there = anIntegration({ id: 'id0000000001' });
    const { create, integrations } = aCreator({ stored: [there] });
    await expect(create({ account: 'acme', document: aDocument() })).rejects.toThrow(/drawn twice/);
    expect(integrations.all).toEqual([there]);
  });
});
