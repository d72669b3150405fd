import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { WritableSignatures } from '../../../core/directory/user.ts';
import {
  dynamoDbAccounts,
  dynamoDbAccountTree,
  dynamoDbUserList,
  dynamoDbUsers,
} from './accounts.ts';
import { DirectoryItems, signatureKey } from './directory-items.ts';
import { dynamoDbIdentities, dynamoDbIdentityList } from './identities.ts';
import { dynamoDbTokenCredentials, dynamoDbTokenList, dynamoDbTokenUses } from './tokens.ts';

const dynamoDbSignatures = (items: DirectoryItems): WritableSignatures => ({
  has: async (user) => (await items.get(signatureKey(user))) !== undefined,
  write: (user, content) => items.put(signatureKey(user), { content }),
  remove: (user) => items.remove(signatureKey(user)),
});

/** The ports of `buildAdministration`: table Directory, the clock and random bytes. */
export const administrationPorts = (client: DynamoDBClient, table: string) => {
  const items = new DirectoryItems(DynamoDBDocumentClient.from(client), table);
  return {
    accounts: dynamoDbAccounts(items),
    tree: dynamoDbAccountTree(items),
    users: dynamoDbUsers(items),
    userList: dynamoDbUserList(items),
    signatures: dynamoDbSignatures(items),
    identityList: dynamoDbIdentityList(items),
    identities: dynamoDbIdentities(items),
    list: dynamoDbTokenList(items),
    credentials: dynamoDbTokenCredentials(items),
    uses: dynamoDbTokenUses(items),
    now: () => new Date(),
    randomBytes,
  };
};
