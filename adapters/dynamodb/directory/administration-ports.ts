import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { WritableSignatures } from '../../../core/directory/user.ts';
import {
  DynamoDbAccounts,
  DynamoDbAccountTree,
  DynamoDbUserList,
  DynamoDbUsers,
} from './accounts.ts';
import { DirectoryItems, DirectoryPart, signatureKey } from './directory-items.ts';
import { DynamoDbIdentities, DynamoDbIdentityList } from './identities.ts';
import { DynamoDbTokenCredentials, DynamoDbTokenList, DynamoDbTokenUses } from './tokens.ts';

class DynamoDbWritableSignatures extends DirectoryPart implements WritableSignatures {
  async has(user: string): Promise<boolean> {
    return (await this.items.get(signatureKey(user))) !== undefined;
  }

  write(user: string, content: string): Promise<void> {
    return this.items.put(signatureKey(user), { content });
  }

  remove(user: string): Promise<void> {
    return this.items.remove(signatureKey(user));
  }
}

/** The ports of `buildAdministration`: table Directory, the clock and random bytes. */
export const administrationPorts = (client: DynamoDBClient, table: string) => {
  const items = new DirectoryItems(DynamoDBDocumentClient.from(client), table);
  return {
    accounts: new DynamoDbAccounts(items),
    tree: new DynamoDbAccountTree(items),
    users: new DynamoDbUsers(items),
    userList: new DynamoDbUserList(items),
    signatures: new DynamoDbWritableSignatures(items),
    identityList: new DynamoDbIdentityList(items),
    identities: new DynamoDbIdentities(items),
    list: new DynamoDbTokenList(items),
    credentials: new DynamoDbTokenCredentials(items),
    uses: new DynamoDbTokenUses(items),
    now: () => new Date(),
    randomBytes,
  };
};
