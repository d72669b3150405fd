import { describe, expect, it } from 'vitest';
import { aCreator } from '../../support/integration/integration-creator.ts';
import { aDocument, anIntegration } from '../../support/integration/integrations.ts';
import { refusalOf } from '../../support/refusals.ts';

const request = { account: 'acme', document: aDocument() };
const keyed = { ...request, idempotencyKey: 'key-1' };

const others = (count: number) =>
  Array.from({ length: count }, (_, index) => anIntegration({ id: `other${index}` }));

/** An account that may have three integrations, and has so many. */
const anAccountWith = (count: number) =>
  aCreator({ stored: others(count), integrationsPerAccount: 3 });

describe('an account that has all the integrations it may have', () => {
  it('is refused another, and told how many it may have', async () => {
    const { create, integrations } = anAccountWith(3);
    const refusal = await refusalOf(() => create(request));
    expect(refusal.kind).toBe('integration-quota');
    expect(refusal.message).toContain('3 integrations');
    expect(integrations.all).toHaveLength(3);
  });

  it('does not count the integrations of other accounts', async () => {
    const { create, integrations } = anAccountWith(3);
    await create({ ...request, account: 'globex' });
    expect(integrations.all).toHaveLength(4);
  });

  it('may have another when it has deleted one', async () => {
    const { create, integrations } = anAccountWith(3);
    await integrations.remove(anIntegration({ id: 'other0' }));
    await create(request);
    expect(integrations.all).toHaveLength(3);
  });

  it('is answered as before when it repeats the call that made its last', async () => {
    const { create, integrations } = anAccountWith(2);
    const first = await create(keyed);
    expect(await create(keyed)).toEqual(first);
    expect(integrations.all).toHaveLength(3);
  });

  it('is answered by the same integration, whichever of two calls made it', async () => {
    const { create, integrations } = anAccountWith(2);
    const [one, other] = await Promise.all([create(keyed), create(keyed)]);
    expect(one.integration).toEqual(other.integration);
    expect(integrations.all).toHaveLength(3);
  });

  it('may repeat a refused call with its key when it has deleted one', async () => {
    const { create, integrations } = anAccountWith(3);
    expect((await refusalOf(() => create(keyed))).kind).toBe('integration-quota');
    await integrations.remove(anIntegration({ id: 'other0' }));
    const { integration } = await create(keyed);
    expect(integrations.all).toContainEqual(integration);
  });

  it('is told of a document that is not valid before it is told of the quota', async () => {
    const { create } = anAccountWith(3);
    const refusal = await refusalOf(() => create({ ...request, document: {} }));
    expect(refusal.kind).toBe('validation');
  });
});

describe('creations of one account side by side', () => {
  it('are all made when there is room, and exceed the quota by those that counted alike', async () => {
    const { create, integrations } = anAccountWith(2);
    await Promise.allSettled([create(request), create(request), create(request)]);
    expect(integrations.all.length).toBeLessThanOrEqual(2 + 3);
    const refusal = await refusalOf(() => create(request));
    expect(refusal.kind).toBe('integration-quota');
  });
});
