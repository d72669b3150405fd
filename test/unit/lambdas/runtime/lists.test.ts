import { describe, expect, it } from 'vitest';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { apiOverMemory } from '../../../support/lambdas/api-over-memory.ts';

const INTEGRATIONS = '/acme/integrations';
const DELIVERIES = `/integrations/${anIntegration().id}/deliveries`;
const PENDING = `/integrations/${anIntegration().id}/pending-events`;
const CHANGES = '/acme/changes';
const cursorOf = (text: string) => `cursor=${Buffer.from(text).toString('base64url')}`;

describe('A list of the API', () => {
  it.each([
    [INTEGRATIONS, 'cursor=nonsense', 'cursor'],
    [INTEGRATIONS, 'cursor=0', 'cursor'],
    [INTEGRATIONS, 'cursor=%20', 'cursor'],
    [INTEGRATIONS, cursorOf('0123456789A'), 'cursor'],
    [INTEGRATIONS, cursorOf('0123456789A/'), 'cursor'],
    [INTEGRATIONS, 'limit=ten', 'limit'],
    [INTEGRATIONS, 'page=2', 'page'],
    [DELIVERIES, 'outcome=lost', 'outcome'],
    [DELIVERIES, 'eventType=no_such.type', 'eventType'],
    [DELIVERIES, 'since=yesterday', 'since'],
    [DELIVERIES, 'since=', 'since'],
    [DELIVERIES, 'since=2026-02-30T00:00:00Z', 'since'],
    [DELIVERIES, 'since=2026-11-20T12:00:00+01:00', 'since'],
    [DELIVERIES, 'until=2026-11-20', 'until'],
    [DELIVERIES, 'until=9999-12-31T23:59:59-14:00', 'until'],
    [DELIVERIES, 'since=0000-01-01T00:00:00%2B10:00', 'since'],
    [DELIVERIES, 'since=2026-11-20T12:00:00Z&until=2026-11-20T13:00:00%2B01:00', 'until'],
    [DELIVERIES, 'since=2026-11-21T12:00:00Z&until=2026-11-20T12:00:00Z', 'until'],
    [DELIVERIES, 'limit=0', 'limit'],
    [DELIVERIES, 'limit=101', 'limit'],
    [DELIVERIES, 'cursor=', 'cursor'],
    [DELIVERIES, 'cursor=MjAyNg', 'cursor'],
    [DELIVERIES, 'cursor=..%2F', 'cursor'],
    [DELIVERIES, cursorOf('attempt#evt_1'), 'cursor'],
    [DELIVERIES, 'outcom=fatal', 'outcom'],
    [DELIVERIES, 'limit=1&limit=2', 'limit'],
    [PENDING, 'cursor=abc', 'cursor'],
    [PENDING, 'outcome=fatal', 'outcome'],
    [PENDING, 'state=delivered', 'state'],
    [PENDING, 'state=', 'state'],
    [CHANGES, 'cursor=abc', 'cursor'],
    [CHANGES, cursorOf('2026-11-20T12:00:00.000Z#7#created'), 'cursor'],
    [CHANGES, 'kind=lost', 'kind'],
    [CHANGES, 'integration=0123456789A', 'integration'],
    [CHANGES, 'integration=/webhooks/0123456789Ab', 'integration'],
    [CHANGES, 'since=yesterday', 'since'],
    [CHANGES, 'since=2026-11-21T12:00:00Z&until=2026-11-20T12:00:00Z', 'until'],
    ['/acme/access-tokens', 'cursor=YWNtZQ', 'cursor'],
  ])('is refused by the faulty parameter: %s?%s', async (path, query, parameter) => {
    const { call } = apiOverMemory([anIntegration()]);
    const { status, document } = await call('GET', `${path}?${query}`);
    expect(status).toBe(422);
    expect(document.errors).toEqual([{ parameter, detail: expect.any(String) }]);
  });

  it('says how to write a plus sign that a query has as a space', async () => {
    const { call } = apiOverMemory([anIntegration()]);
    const errorsOf = async (since: string) =>
      (await call('GET', `${DELIVERIES}?since=${since}`)).document.errors;
    const detail = 'must be an RFC 3339 instant, and write its + as %2B';
    expect(await errorsOf('2026-11-20T12:00:00+01:00')).toEqual([{ parameter: 'since', detail }]);
    expect(await errorsOf('2026-11-20 12:00:00Z')).toEqual([
      { parameter: 'since', detail: 'must be an RFC 3339 instant' },
    ]);
  });

  it.each([
    ['', 20],
    ['?limit=1', 1],
    ['?limit=100', 100],
  ])('has pages of 20, or of the limit: %j', async (query, length) => {
    const stored = Array.from({ length: 130 }, (_, index) =>
      anIntegration({ id: `${(index * 11) % 130}`.padStart(12, '0') }),
    );
    const { document } = await apiOverMemory(stored).call('GET', INTEGRATIONS + query);
    expect(document.member).toHaveLength(length);
    expect(document).not.toHaveProperty('totalItems');
    expect(document.view).toMatchObject({ '@type': 'PartialCollectionView' });
  });

  it.each([
    [0, []],
    [1, [expect.objectContaining({ id: '/integrations/0123456789Ab' })]],
  ])('is counted when it has one page: %i', async (totalItems, member) => {
    const stored = [anIntegration(), anIntegration({ account: 'globex' })].slice(1 - totalItems);
    const { document } = await apiOverMemory(stored).call('GET', INTEGRATIONS);
    expect(document).toMatchObject({
      '@context': '/contexts/Collection.jsonld',
      '@type': 'Collection',
      id: INTEGRATIONS,
      totalItems,
      member,
      view: { id: `${INTEGRATIONS}?limit=20` },
    });
    expect(document.view).not.toHaveProperty('next');
  });
});
