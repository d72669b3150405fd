import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type {
  IdentifiedUsers,
  Identities,
  IdentityList,
  SignInIdentity,
} from '../../core/directory/sign-in.ts';
import type { User } from '../../core/directory/user.ts';
import {
  DirectoryItems,
  identityKey,
  USER_IDENTITY_PREFIX,
  userIdentityKey,
  userKey,
} from './directory-items.ts';
import { ifConditionHolds } from './writes.ts';

/** The identities of table Directory under their user. */
export class DynamoDbIdentityList implements IdentityList {
  readonly #items: DirectoryItems;

  constructor(items: DirectoryItems) {
    this.#items = items;
  }

  put(user: string, identity: SignInIdentity): Promise<void> {
    return this.#items.put(userIdentityKey(user, identity), identity);
  }

  remove(user: string, identity: SignInIdentity): Promise<void> {
    return this.#items.remove(userIdentityKey(user, identity));
  }

  listOf(user: string): Promise<readonly SignInIdentity[]> {
    return this.#items.all({ pk: userKey(user).pk, prefix: USER_IDENTITY_PREFIX });
  }
}

/** The identities of table Directory by themselves; `DynamoDbIdentifiedUsers` reads them. */
export class DynamoDbIdentities implements Identities {
  readonly #items: DirectoryItems;

  constructor(items: DirectoryItems) {
    this.#items = items;
  }

  async add(user: string, identity: SignInIdentity): Promise<'added' | 'taken'> {
    const put = new PutCommand({
      TableName: this.#items.table,
      Item: { ...identityKey(identity), user },
      ConditionExpression: 'attribute_not_exists(pk) OR #user = :user',
      ...ofUser(user),
    });
    return (await ifConditionHolds(this.#items.client.send(put))) ? 'added' : 'taken';
  }

  async remove(user: string, identity: SignInIdentity): Promise<void> {
    const remove = new DeleteCommand({
      TableName: this.#items.table,
      Key: identityKey(identity),
      ConditionExpression: '#user = :user',
      ...ofUser(user),
    });
    await ifConditionHolds(this.#items.client.send(remove));
  }
}

/** The attribute `user` and its value in a condition; USER is a word of DynamoDB's own. */
const ofUser = (user: string) => ({
  ExpressionAttributeNames: { '#user': 'user' },
  ExpressionAttributeValues: { ':user': user },
});

/** The users of identities in table Directory: an identity's item names the user. */
export class DynamoDbIdentifiedUsers implements IdentifiedUsers {
  readonly #items: DirectoryItems;

  constructor(client: DynamoDBDocumentClient, table: string) {
    this.#items = new DirectoryItems(client, table);
  }

  async findUser(identity: SignInIdentity): Promise<User | undefined> {
    const found = await this.#items.get<{ readonly user: string }>(identityKey(identity));
    return found && this.#items.get<User>(userKey(found.user));
  }
}
