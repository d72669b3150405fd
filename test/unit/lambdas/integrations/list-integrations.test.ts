import { describe, expect, it } from 'vitest';
import { presentIntegration } from '../../../../core/integration/integration-resource.ts';
import { buildListIntegrations } from '../../../../core/integration/read-integration.ts';
import { createHandler } from '../../../../lambdas/api/integrations/list-integrations/handler.ts';
import { route } from '../../../../lambdas/api/integrations/list-integrations/route.ts';
import { InMemoryIntegrations } from '../../../support/integration/in-memory-integrations.ts';
import { unsealed } from '../../../support/integration/in-memory-secrets.ts';
import { anIntegration } from '../../../support/integration/integrations.ts';
import { anApiEvent, call, documentOf } from '../../../support/lambdas/api-gateway-events.ts';
import { changingHandlers } from '../../../support/lambdas/changing-handler.ts';
import { RecordingLogger } from '../../../support/lambdas/recording-logger.ts';

const NOW = new Date('2026-11-21T08:00:00.000Z');
const MEMBER = { user: 'usr_2', account: 'acme', role: 'member' };
const PATH = '/acme/integrations';

interface Page {
  readonly id: string;
  readonly member: { id: string }[];
  readonly totalItems?: number;
  readonly view: { id: string; next?: string };
}

const listing = (integrations: InMemoryIntegrations) => {
  const logger = new RecordingLogger();
  const listIntegrations = buildListIntegrations({ integrations });
  const handler = createHandler({ listIntegrations, now: () => NOW, logger });
  const ask = async (query: string, account = 'acme') => {
    const parameters = new URLSearchParams(query);
    const event = anApiEvent({ pathParameters: { account_name: account }, authorizer: MEMBER });
    event.multiValueQueryStringParameters = Object.fromEntries(
      [...parameters.keys()].map((name) => [name, parameters.getAll(name)]),
    );
    const result = await call(handler, event);
    return { ...result, document: documentOf(result) };
  };
  const page = async (path: string): Promise<Page> => {
    const { statusCode, document } = await ask(path.split('?')[1] ?? '');
    expect(statusCode).toBe(200);
    expect(route.answers[0].schema.parse(document)).toEqual(document);
    return document as unknown as Page;
  };
  return { ask, page };
};

/** As many, added in no order. */
const some = (count: number) =>
  listing(
    new InMemoryIntegrations(
      ...Array.from({ length: count }, (_, index) =>
        anIntegration({ id: `${(index * 11) % count}`.padStart(12, '0') }),
      ),
      anIntegration({ id: '000000000000', account: 'globex' }),
    ),
  );

const idsOf = ({ member }: Page) => member.map(({ id }) => Number(id.split('/').at(-1)));

describe('GET /{account_name}/integrations', () => {
  it('lists the account’s in the order of their ids, and counts them where they are few', async () => {
    const { page } = some(3);
    const document = await page(PATH);
    expect(idsOf(document)).toEqual([0, 1, 2]);
    expect(document).toMatchObject({
      '@context': '/contexts/Collection.jsonld',
      '@type': 'Collection',
      id: PATH,
      totalItems: 3,
      view: { '@type': 'PartialCollectionView', id: `${PATH}?limit=20` },
    });
    expect(document.view).not.toHaveProperty('next');
  });

  it('is empty for an account without one', async () => {
    expect(await some(0).page(PATH)).toMatchObject({ member: [], totalItems: 0 });
  });

  it('leads from page to page to each of them, once', async () => {
    const { page } = some(7);
    const pages: Page[] = [];
    for (let next: string | undefined = `${PATH}?limit=3`; next; next = pages.at(-1)?.view.next) {
      pages.push(await page(next));
    }
    expect(pages.map(idsOf)).toEqual([[0, 1, 2], [3, 4, 5], [6]]);
    expect(pages.map(({ totalItems }) => totalItems)).toEqual([undefined, undefined, undefined]);
    expect(new Set(pages.map(({ id }) => id))).toEqual(new Set([PATH]));
  });

  it('ends with a full page when that is the last', async () => {
    const { page } = some(6);
    const first = await page(`${PATH}?limit=3`);
    const second = await page(first.view.next ?? '');
    expect(idsOf(second)).toEqual([3, 4, 5]);
    expect(second.view).not.toHaveProperty('next');
  });

  it.each([
    [20, ''],
    [1, 'limit=1'],
    [100, 'limit=100'],
  ])('shows %i members when asked with %j', async (count, query) => {
    expect((await some(130).page(`${PATH}?${query}`)).member).toHaveLength(count);
  });

  it('goes on behind an integration that was deleted meanwhile', async () => {
    const integrations = new InMemoryIntegrations(
      ...['a', 'b', 'c'].map((letter) => anIntegration({ id: letter.repeat(12) })),
    );
    const { page } = listing(integrations);
    const { view } = await page(`${PATH}?limit=2`);
    await integrations.remove(anIntegration({ id: 'b'.repeat(12) }));
    expect(await page(view.next ?? '')).toMatchObject({
      member: [{ id: '/integrations/cccccccccccc' }],
    });
  });

  it('shows each as it is when read, its secrets filtered', async () => {
    const { config } = anIntegration();
    const stored = anIntegration({
      config: {
        ...config,
        clientSecret: 'for clients',
        previousSecrets: [{ secret: 'from before', expiresAt: '2026-11-22T08:00:00.000Z' }],
      },
    });
    const { ask } = listing(new InMemoryIntegrations(stored));
    const { body, document } = await ask('');
    expect(document.member).toEqual([presentIntegration(stored, NOW)]);
    for (const secret of [config.webhookSecret, 'for clients', 'from before']) {
      expect(body).not.toContain(secret);
    }
  });

  it('shows each so that it can be sent back by PUT without harm', async () => {
    const { config, settings: defaults } = anIntegration();
    const stored = anIntegration({
      settings: { ...defaults, onFatalError: 'continue' },
      config: {
        ...config,
        clientSecret: 'for clients',
        previousSecrets: [{ secret: 'from before', expiresAt: '2026-11-22T08:00:00.000Z' }],
      },
    });
    const { member } = await listing(new InMemoryIntegrations(stored)).page(PATH);
    const { send, integrations } = changingHandlers({ stored });
    expect((await send('PUT', { body: member[0] })).statusCode).toBe(200);
    const {
      config: after,
      settings,
      active,
    } = integrations.all.map(unsealed)[0] ?? expect.fail('it is gone');
    expect({ config: after, settings, active }).toEqual({
      config: stored.config,
      settings: stored.settings,
      active: stored.active,
    });
  });

  it('answers 404 to another account’s name', async () => {
    expect((await some(1).ask('', 'globex')).statusCode).toBe(404);
  });

  it.each([
    ['cursor', 'cursor=nonsense'],
    ['cursor', 'cursor=%20'],
    ['cursor', `cursor=${Buffer.from('0123456789A').toString('base64url')}`],
    ['cursor', `cursor=${Buffer.from('0123456789A/').toString('base64url')}`],
    ['limit', 'limit=0'],
    ['limit', 'limit=101'],
    ['limit', 'limit=ten'],
    ['limit', 'limit=1&limit=2'],
    ['page', 'page=2'],
  ])('names the parameter %s of %s', async (parameter, query) => {
    const { statusCode, document } = await some(1).ask(query);
    expect(statusCode).toBe(422);
    expect(document.errors).toMatchObject([{ parameter }]);
  });
});
