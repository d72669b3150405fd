import { DynamoDbChangeView } from '../../../adapters/dynamodb/changes/change-log.ts';
import { DynamoDbDeliveryLog } from '../../../adapters/dynamodb/delivery-log/delivery-log.ts';
import { DynamoDbDeliveryLogReader } from '../../../adapters/dynamodb/delivery-log/delivery-log-reader.ts';
import { DynamoDbUserSignatures } from '../../../adapters/dynamodb/directory/accounts.ts';
import { administrationPorts } from '../../../adapters/dynamodb/directory/administration-ports.ts';
import { dynamoDbConsoleLinks } from '../../../adapters/dynamodb/directory/console-links.ts';
import { DirectoryItems } from '../../../adapters/dynamodb/directory/directory-items.ts';
import { DynamoDbIdempotencyRecords } from '../../../adapters/dynamodb/directory/idempotency-records.ts';
import { DynamoDbIdentifiedUsers } from '../../../adapters/dynamodb/directory/identities.ts';
import { DynamoDbAccessTokens } from '../../../adapters/dynamodb/directory/tokens.ts';
import { DynamoDbIntegrationLists } from '../../../adapters/dynamodb/integrations/integration-lists.ts';
import { DynamoDbPendingEvents } from '../../../adapters/dynamodb/pending-events/pending-events.ts';
import { DynamoDbPendingView } from '../../../adapters/dynamodb/pending-events/pending-view.ts';
import { DynamoDbSlotStore } from '../../../adapters/dynamodb/pending-events/slot-store.ts';
import { DynamoDbStatisticsView } from '../../../adapters/dynamodb/statistics/statistics.ts';
import { accountPath } from '../../../core/directory/account-resource.ts';
import { buildAdministration } from '../../../core/directory/administration.ts';
import {
  LOGGED,
  PENDING,
  QUIET,
  SCENE_ACCOUNT,
  SCENE_HOUR,
  SCENE_IDENTITY,
  SCENE_LINK,
  SCENE_NOW,
  SCENE_RECORD,
  SLOT,
  TROUBLED,
} from './scene.ts';
import type { SceneTables } from './scene-tables.ts';

/** What the readers of this version find in the scene's tables, as JSON has it. */
export const readScene = async (tables: SceneTables): Promise<Record<string, unknown>> =>
  asJson({
    directory: await readDirectory(tables),
    integrations: await readIntegrations(tables),
    kept: await readKept(tables),
    deliveryLog: await readDeliveryLog(tables),
    statistics: await readStatistics(tables),
    changes: await readChanges(tables),
  });

const asJson = (value: object): Record<string, unknown> => JSON.parse(JSON.stringify(value));

const readDirectory = async ({ client, names }: SceneTables) => {
  const now = () => SCENE_NOW;
  const administration = buildAdministration({
    ...administrationPorts(client, names.directory),
    now,
  });
  const records = new DynamoDbIdempotencyRecords(client, names.directory);
  const tokens = await administration.listTokens(SCENE_ACCOUNT);
  const accessTokens = new DynamoDbAccessTokens(client, names.directory);
  return {
    accounts: await administration.listAccounts(SCENE_ACCOUNT),
    account: await administration.findAccount('acme-sms'),
    users: [
      ...(await administration.listUsers(SCENE_ACCOUNT)),
      ...(await administration.listUsers('acme-sms')),
    ],
    user: await administration.findUser('u_ada'),
    signedIn: await new DynamoDbIdentifiedUsers(client, names.directory).findUser(SCENE_IDENTITY),
    signature: await new DynamoDbUserSignatures(client, names.directory).findSignature('u_ada'),
    tokens,
    principals: await Promise.all(
      tokens.map(async ({ hash }) => (await accessTokens.findPrincipal(hash)) ?? 'nobody'),
    ),
    link: await dynamoDbConsoleLinks(new DirectoryItems(client, names.directory)).take(
      SCENE_LINK.hash,
      now(),
    ),
    claimed: await records.find(SCENE_ACCOUNT, SCENE_RECORD.key),
  };
};

const readIntegrations = async ({ client, names }: SceneTables) => {
  const integrations = new DynamoDbIntegrationLists(client, names.integrations);
  return {
    quiet: await integrations.find(SCENE_ACCOUNT, QUIET.id),
    troubled: await integrations.find(SCENE_ACCOUNT, TROUBLED.id),
    listed: (await integrations.listOf(SCENE_ACCOUNT)).map(({ id }) => id).toSorted(),
  };
};

const readKept = async ({ client, names }: SceneTables) => {
  const pending = new DynamoDbPendingEvents(client, names.pendingEvents);
  const view = new DynamoDbPendingView(client, names.pendingEvents);
  const setAside = { integration: TROUBLED.id, state: 'set-aside' } as const;
  return {
    pending: (await pending.oldest(TROUBLED.id, 10)).map(({ delivery, dueAt }) => ({
      delivery,
      dueAt,
    })),
    slots: await new DynamoDbSlotStore(client, names.pendingEvents).takeSlot(TROUBLED, SLOT),
    setAside: (await view.page(setAside, { limit: 10 })).deliveries,
    isPending: await Promise.all(PENDING.map((delivery) => view.isStored(delivery, 'pending'))),
  };
};

const readDeliveryLog = async ({ client, names }: SceneTables) => {
  const options = { deadlineMs: 8_000, now: () => SCENE_NOW };
  const log = new DynamoDbDeliveryLog(client, names.deliveryLog, options);
  const reader = new DynamoDbDeliveryLogReader(client, names.deliveryLog, options);
  const logged = await Promise.all(
    Object.entries(LOGGED).map(async ([name, { event }]) => {
      const found = await reader.find(TROUBLED.id, event.id);
      return [
        name,
        found && {
          ...found,
          body: await reader.bodyOf(found),
          attempts: await reader.attemptsOf(found),
        },
      ] as const;
    }),
  );
  const newest = await reader.newest(TROUBLED.id, { filter: {}, limit: 10 });
  return {
    known: await log.read(Object.values(LOGGED)),
    newest: newest.deliveries.map(({ event }) => event.id),
    ...Object.fromEntries(logged),
  };
};

const readChanges = async ({ client, names }: SceneTables) => {
  const view = new DynamoDbChangeView(client, names.changes, { now: () => SCENE_NOW });
  return (await view.pageOf(accountPath(SCENE_ACCOUNT), { limit: 10 })).changes;
};

const readStatistics = async ({ client, names }: SceneTables) => {
  const view = new DynamoDbStatisticsView(client, names.statistics);
  const hours = await view.hoursSince(TROUBLED, SCENE_HOUR);
  return [...hours].map(([hour, { counts, durations }]) => ({
    hour,
    counts,
    durations: [...durations],
  }));
};
