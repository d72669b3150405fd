import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { repeatingAfterConflict } from '../table/repeat-after-conflict.ts';
import {
  dynamoDbAccounts,
  dynamoDbAccountTree,
  dynamoDbSignatures,
  dynamoDbUserList,
  dynamoDbUsers,
} from './accounts.ts';
import { DirectoryItems } from './directory-items.ts';
import { dynamoDbIdentities } from './identities.ts';
import { dynamoDbIssuedTokens, dynamoDbTokenUses } from './tokens.ts';

/** The ports of `buildAdministration`: table Directory, the clock and random bytes. */
export const administrationPorts = (client: DynamoDBClient, table: string) => {
  const items = new DirectoryItems(
    DynamoDBDocumentClient.from(repeatingAfterConflict(client)),
    table,
  );
  return {
    accounts: dynamoDbAccounts(items),
    tree: dynamoDbAccountTree(items),
    users: dynamoDbUsers(items),
    userList: dynamoDbUserList(items),
    signatures: dynamoDbSignatures(items),
    identities: dynamoDbIdentities(items),
    tokens: dynamoDbIssuedTokens(items),
    uses: dynamoDbTokenUses(items),
    now: () => new Date(),
    randomBytes,
  };
};
