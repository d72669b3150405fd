import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { createDocumentClient } from '../../adapters/aws-sdk/aws-clients.ts';
import { DynamoDbChangeView } from '../../adapters/dynamodb/changes/change-log.ts';
import { DynamoDbDeliveryIndex } from '../../adapters/dynamodb/delivery-index/delivery-index.ts';
import { DynamoDbDeliveryLogReader } from '../../adapters/dynamodb/delivery-log/delivery-log-reader.ts';
import {
  DynamoDbUserSignatures,
  dynamoDbAccounts,
  dynamoDbAccountTree,
  dynamoDbUserList,
  dynamoDbUsers,
} from '../../adapters/dynamodb/directory/accounts.ts';
import { DirectoryItems } from '../../adapters/dynamodb/directory/directory-items.ts';
import {
  dynamoDbIssuedTokens,
  dynamoDbTokenUses,
} from '../../adapters/dynamodb/directory/tokens.ts';
import { DynamoDbIntegrationLists } from '../../adapters/dynamodb/integrations/integration-lists.ts';
import { DynamoDbPendingView } from '../../adapters/dynamodb/pending-events/pending-view.ts';
import { DynamoDbStatisticsView } from '../../adapters/dynamodb/statistics/statistics.ts';
import { buildListChanges } from '../../core/changes/list-changes.ts';
import { buildDeliveriesApi } from '../../core/delivery/api/deliveries-api.ts';
import { buildGetMe } from '../../core/directory/get-me.ts';
import { buildGetSignature } from '../../core/directory/get-signature.ts';
import { buildListAccessTokens } from '../../core/directory/manage-access-tokens.ts';
import {
  buildAccountsPage,
  buildGetAccount,
  buildUsersPage,
} from '../../core/directory/read-accounts.ts';
import { flag, text } from '../runtime/environment.ts';
import { createLogger } from '../runtime/reporting.ts';
import { READ_ROUTES } from './routes.ts';
import { dispatch } from './runtime/api-entry.ts';

export const environmentSchema = z.object({
  CHANGES_TABLE: text,
  DELIVERY_INDEX_TABLE: text,
  DELIVERY_LOG_TABLE: text,
  DIRECTORY_TABLE: text,
  INTEGRATIONS_TABLE: text,
  MAIL_ENABLED: flag,
  PENDING_EVENTS_TABLE: text,
  STATISTICS_TABLE: text,
});

type Variables = z.output<typeof environmentSchema>;

export const compose = (environment: Variables, client = createDocumentClient()) => ({
  ...composeDeliveries(environment, client),
  ...composeDirectory(environment, client),
  mailEnabled: environment.MAIL_ENABLED,
  now,
  logger: createLogger(),
});

export const createHandler = (deps: ReturnType<typeof compose>) => dispatch(READ_ROUTES, deps);

const now = () => new Date();

const composeDeliveries = (environment: Variables, client: DynamoDBDocumentClient) => {
  return buildDeliveriesApi({
    integrations: new DynamoDbIntegrationLists(client, environment.INTEGRATIONS_TABLE),
    deliveryLogReader: new DynamoDbDeliveryLogReader(client, environment.DELIVERY_LOG_TABLE, {
      now,
    }),
    index: new DynamoDbDeliveryIndex(client, environment.DELIVERY_INDEX_TABLE),
    pending: new DynamoDbPendingView(client, environment.PENDING_EVENTS_TABLE),
    statistics: new DynamoDbStatisticsView(client, environment.STATISTICS_TABLE),
    now,
  });
};

const composeDirectory = (
  { DIRECTORY_TABLE, CHANGES_TABLE }: Variables,
  client: DynamoDBDocumentClient,
) => {
  const items = new DirectoryItems(client, DIRECTORY_TABLE);
  const accounts = dynamoDbAccounts(items);
  return {
    getMe: buildGetMe({ users: dynamoDbUsers(items) }),
    getAccount: buildGetAccount({ accounts }),
    listChanges: buildListChanges({
      accounts,
      changes: new DynamoDbChangeView(client, CHANGES_TABLE, { now }),
    }),
    accountsPage: buildAccountsPage({ accounts, tree: dynamoDbAccountTree(items) }),
    usersPage: buildUsersPage({ accounts, userList: dynamoDbUserList(items) }),
    listAccessTokens: buildListAccessTokens({
      tokens: dynamoDbIssuedTokens(items),
      uses: dynamoDbTokenUses(items),
    }),
    getSignature: buildGetSignature({
      signatures: new DynamoDbUserSignatures(client, DIRECTORY_TABLE),
    }),
  };
};
