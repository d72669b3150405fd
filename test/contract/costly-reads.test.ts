import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DynamoDbDeliveryLog } from '../../adapters/dynamodb/delivery-log/delivery-log.ts';
import {
  accountKey,
  accountTokenKey,
  accountUserKey,
  childAccountKey,
  DirectoryItems,
  tokenKey,
  userKey,
} from '../../adapters/dynamodb/directory/directory-items.ts';
import { dynamoDbIssuedTokens } from '../../adapters/dynamodb/directory/tokens.ts';
import { DynamoDbIntegrationLists } from '../../adapters/dynamodb/integrations/integration-lists.ts';
import { DynamoDbPendingEvents } from '../../adapters/dynamodb/pending-events/pending-events.ts';
import { DynamoDbSetAsideEvents } from '../../adapters/dynamodb/pending-events/pending-store.ts';
import { DynamoDbTable } from '../../adapters/dynamodb/table/table.ts';
import { batchWrite } from '../../adapters/dynamodb/table/writes.ts';
import { READ_UNITS } from '../../bench/docs/open-pages.ts';
import { positionOf } from '../../core/changes/change-position.ts';
import { eventsToRetry } from '../../core/delivery/sending/events-to-retry.ts';
import { LAST_BUCKET } from '../../core/delivery/statistics/tally.ts';
import { inChunks } from '../../core/in-chunks.ts';
import { compose, createHandler } from '../../lambdas/api/read-api.ts';
import { READ_ROUTES } from '../../lambdas/api/routes.ts';
import type { Route } from '../../lambdas/api/runtime/route.ts';
import { IS_COSTLY_QUERY } from '../../lib/constructs/caller-throttle.ts';
import { aChangeAt } from '../support/changes/changes.ts';
import { anAttempt } from '../support/delivery/attempts.ts';
import { A_MESSAGE, aDelivery } from '../support/event/platform-events.ts';
import { anIntegration } from '../support/integration/integrations.ts';
import { anApiEvent, call } from '../support/lambdas/api-gateway-events.ts';
import { requiredQueryOf } from '../support/lambdas/route-requests.ts';

/** What an account can have at most, or more than one call reads. */
const STORED = { integrations: 100, tokens: 1_000, events: 1_500, attempts: 1_100, changes: 1_300 };
const OTHERS = 200;
const AT_ONCE = 25;
const HOURS = 720;
const [ACCOUNT, USER, INTEGRATION] = ['acme', 'usr_1', anIntegration().id];
const ATTEMPTED = 'evt_attempted';
/** Statistics of 30 days have the most hours in the last of a day. */
const NOW = Date.parse('2026-11-20T23:30:00.000Z');
const at = (secondsAgo: number): string => new Date(NOW - secondsAgo * 1_000).toISOString();
const A_DAY_AGO = 86_400;

const numbered = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** A webhook of 0.9 KB, which compresses about as a text does. */
const textOf = (index: number): string =>
  numbered(12, (part) => createHash('sha256').update(`${index} ${part}`).digest('hex')).join(' ');

const deliveryOf = (index: number, id = `evt_${index}`) =>
  aDelivery({
    body: JSON.stringify({ data: { message: { id, body: textOf(index) } } }),
    event: { id, type: 'message.received', occurredAt: at(A_DAY_AGO + index) },
  });

const tables = useTables();

const environmentOf = async () => ({
  CHANGES_TABLE: await tables.createTable('account', 'entry'),
  DELIVERY_INDEX_TABLE: await tables.createTable('partition', 'entry'),
  DELIVERY_LOG_TABLE: await tables.createTable('partition', 'entry'),
  DIRECTORY_TABLE: await tables.createTable('pk', 'sk'),
  INTEGRATIONS_TABLE: await tables.createTable('account', 'id'),
  MAIL_ENABLED: true,
  PENDING_EVENTS_TABLE: await tables.createTable('partition', 'entry'),
  STATISTICS_TABLE: await tables.createTable('integration', 'hour'),
});

type Environment = Awaited<ReturnType<typeof environmentOf>>;

const putAll = (table: string, items: readonly object[]): Promise<void> =>
  batchWrite(
    new DynamoDbTable(tables.client, table),
    items.map((Item) => ({ PutRequest: { Item: Item as Record<string, unknown> } })),
  );

const fill = async (environment: Environment): Promise<void> => {
  const { client } = tables;
  await putAll(
    environment.INTEGRATIONS_TABLE,
    numbered(STORED.integrations, (index) =>
      anIntegration(index === 0 ? {} : { id: `${index}`.padStart(12, '0') }),
    ),
  );
  const user = { id: USER, account: ACCOUNT, primaryAccount: ACCOUNT, role: 'admin' };
  const account = { name: ACCOUNT, primaryAccount: ACCOUNT, createdAt: at(0) };
  const userOf = (index: number) => ({ ...user, id: `usr_${index}`, createdAt: at(0) });
  const hashOf = (index: number) => createHash('sha256').update(`${index}`).digest('hex');
  await putAll(environment.DIRECTORY_TABLE, [
    { ...accountKey(ACCOUNT), ...account },
    { ...userKey(USER), ...user },
    ...numbered(OTHERS, userOf).map((of) => ({ ...accountUserKey(ACCOUNT, of.id), ...of })),
    ...numbered(OTHERS, (index) => ({
      ...childAccountKey(ACCOUNT, `child-${index}`),
      ...account,
      name: `child-${index}`,
    })),
    ...numbered(STORED.tokens, (index) => {
      const tokenId = `tok_${`${index}`.padStart(16, '0')}`;
      const token = { tokenId, hash: hashOf(index), user: USER, role: 'admin', createdAt: at(0) };
      return { ...accountTokenKey(ACCOUNT, tokenId), ...token, name: 'A program of ours' };
    }),
    ...numbered(STORED.tokens, (index) => ({ ...tokenKey(hashOf(index)), lastUsedAt: at(0) })),
  ]);
  const log = new DynamoDbDeliveryLog(client, environment.DELIVERY_LOG_TABLE, {
    deadlineMs: 60_000,
    now: () => new Date(NOW),
  });
  const attemptOf = ({ event }: ReturnType<typeof deliveryOf>, number: number) =>
    anAttempt({ event, number, startedAt: new Date(NOW - (A_DAY_AGO - number) * 1_000) });
  const logged = [
    ...numbered(STORED.events, (index) => deliveryOf(index)),
    deliveryOf(0, ATTEMPTED),
  ];
  for (const some of inChunks(logged, 100)) {
    await log.write(
      some.map((delivery) => ({ delivery, attempt: attemptOf(delivery, 1), logged: 'nothing' })),
    );
  }
  const attempted = deliveryOf(0, ATTEMPTED);
  const later = numbered(STORED.attempts, (index) => attemptOf(attempted, index + 2));
  for (const some of inChunks(later, AT_ONCE)) {
    await Promise.all(
      some.map((attempt) => log.write([{ delivery: attempted, attempt, logged: 'attempted' }])),
    );
  }
  const pending = new DynamoDbPendingEvents(client, environment.PENDING_EVENTS_TABLE);
  const setAside = new DynamoDbSetAsideEvents(client, environment.PENDING_EVENTS_TABLE);
  for (const some of inChunks(logged, AT_ONCE)) {
    await Promise.all(some.map((delivery) => pending.put(delivery, A_MESSAGE)));
    await Promise.all(some.map((delivery) => setAside.add(delivery)));
  }
  await putAll(
    environment.CHANGES_TABLE,
    numbered(STORED.changes, (index) => {
      const change = aChangeAt(at(index), { position: `7${`${index}`.padStart(20, '0')}` });
      return { ...change, entry: positionOf(change), expiresAt: 1 };
    }),
  );
  await putAll(
    environment.STATISTICS_TABLE,
    numbered(HOURS, (index) => ({
      integration: INTEGRATION,
      hour: at(index * 3_600).slice(0, 'yyyy-mm-ddThh'.length),
      ...Object.fromEntries(numbered(LAST_BUCKET + 1, (bucket) => [`ms${bucket}`, 1_000])),
    })),
  );
  await putAll(
    environment.STATISTICS_TABLE,
    numbered(HOURS, (index) => ({
      integration: `account#${ACCOUNT}`,
      hour: at(index * 3_600).slice(0, 'yyyy-mm-ddThh'.length),
      ...Object.fromEntries(
        numbered(STORED.integrations, (filter) => [`${filter}`.padStart(12, '0'), 1_000]),
      ),
    })),
  );
};

/** A client that adds up the read units that DynamoDB counts. */
const metered = (client: DynamoDBDocumentClient): (() => number) => {
  let units = 0;
  client.middlewareStack.add(
    (next) => async (command) => {
      Object.assign(command.input, { ReturnConsumedCapacity: 'TOTAL' });
      const answer = await next(command);
      const { ConsumedCapacity = [] } = answer.output as {
        ConsumedCapacity?: { CapacityUnits: number } | { CapacityUnits: number }[];
      };
      for (const { CapacityUnits } of [ConsumedCapacity].flat()) units += CapacityUnits;
      return answer;
    },
    { step: 'initialize', name: 'meter' },
  );
  return () => {
    const taken = units;
    units = 0;
    return taken;
  };
};

/** The most that a caller can make routes read, beside a page of 100. */
const WISHES: Readonly<Record<string, readonly string[]>> = {
  '/integrations/{id}/deliveries': [
    'limit=30',
    'outcome=fatal&limit=100',
    'delivered=false&limit=100',
    'eventType=contact.created&limit=100',
  ],
  '/integrations/{id}/pending-events': [
    'count=true&limit=100',
    'state=set-aside&limit=100',
    'count=true&state=set-aside&limit=100',
  ],
  '/{account_name}/changes': ['kind=deleted&limit=100'],
};

const VALUES: Readonly<Record<string, string>> = {
  account_name: ACCOUNT,
  account: ACCOUNT,
  id: INTEGRATION,
  event: ATTEMPTED,
  user: USER,
};

describe('The calls of the API', () => {
  const measured = new Map<string, number>();

  beforeAll(async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: NOW });
    const environment = await environmentOf();
    await fill(environment);
    const unitsRead = metered(tables.client);
    const handler = createHandler(compose(environment, tables.client));
    for (const { route } of READ_ROUTES) {
      const { path: resource, query }: Route = route;
      const page = query?.def.shape.limit === undefined ? '' : 'limit=100';
      const first = [requiredQueryOf({ query }), page].filter((part) => part !== '').join('&');
      for (const wish of [first, ...(WISHES[resource] ?? [])]) {
        const path = resource.replaceAll(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? '');
        const event = anApiEvent({ path, resource, query: wish, pathParameters: VALUES });
        const { statusCode } = await call(handler, event);
        measured.set(
          `GET ${resource}${wish && `?${wish}`}`,
          statusCode === 200 ? unitsRead() : Number.NaN,
        );
      }
    }
    const { INTEGRATIONS_TABLE, DIRECTORY_TABLE, PENDING_EVENTS_TABLE } = environment;
    await new DynamoDbIntegrationLists(tables.client, INTEGRATIONS_TABLE).countOf(ACCOUNT);
    measured.set('POST /{account_name}/integrations', unitsRead());
    await dynamoDbIssuedTokens(new DirectoryItems(tables.client, DIRECTORY_TABLE)).countOf(ACCOUNT);
    measured.set('POST /{account_name}/access-tokens', unitsRead());
    const pendingEvents = new DynamoDbPendingEvents(tables.client, PENDING_EVENTS_TABLE);
    const readLog = async () => ({ logged: 'attempted' }) as const;
    const ports = { pendingEvents, readLog, random: () => 0.5 };
    for await (const { pending } of eventsToRetry(INTEGRATION, ports))
      expect(pending).toBeDefined();
    measured.set('POST /integrations/{id}/retry', unitsRead());
  }, 120_000);
  afterAll(() => {
    vi.useRealTimers();
  });

  it('take at most what docs/operators/capacity.md says', () => {
    expect([...measured].filter(([, units]) => !(units > 0))).toEqual([]);
    const [costliest] = [...measured].toSorted(([, one], [, other]) => other - one);
    const page = readFileSync('docs/operators/capacity.md', 'utf8').replaceAll(/\s+/g, ' ');

    expect(costliest?.[0]).toBe('GET /integrations/{id}/statistics');
    expect(page).toContain(`with 100 filters, takes ${Math.round(costliest?.[1] ?? 0)} read units`);
  });

  it('are costly if they take many times as much as a usual page', () => {
    const pages = [...measured].filter(([name]) => name.includes('{id}/deliveries?'));
    const usual = measured.get('GET /integrations/{id}/deliveries?limit=30') ?? 0;
    const costly = pages.filter(([, units]) => units > 5 * usual).map(([name]) => name);

    expect(costly).toContain('GET /integrations/{id}/deliveries?outcome=fatal&limit=100');
    expect(
      costly.filter((name) => !new RegExp(IS_COSTLY_QUERY).test(name.split('?')[1] ?? '')),
    ).toEqual([]);
  });

  it('take of an open page of the console what docs/operators/costs.md counts', () => {
    const unitsOf = (name: string) => Math.ceil(measured.get(`GET ${name}`) ?? Number.NaN);

    expect({
      deliveries: unitsOf('/integrations/{id}/deliveries?limit=30'),
      webhook: unitsOf('/integrations/{id}'),
      webhooks: unitsOf('/{account_name}/integrations?limit=100'),
      statistics: unitsOf('/integrations/{id}/statistics'),
    }).toEqual(READ_UNITS);
  });
});
