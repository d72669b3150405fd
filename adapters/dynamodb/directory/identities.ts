import type {
  IdentifiedUsers,
  Identities,
  IdentityList,
  SignInIdentity,
} from '../../../core/directory/sign-in.ts';
import type { User } from '../../../core/directory/user.ts';
import {
  DirectoryItems,
  identityKey,
  USER_IDENTITY_PREFIX,
  userIdentityKey,
  userKey,
} from './directory-items.ts';

/** Under their user. */
export const dynamoDbIdentityList = (items: DirectoryItems): IdentityList => ({
  put: (user, identity) => items.put(userIdentityKey(user, identity), identity),
  remove: (user, identity) => items.remove(userIdentityKey(user, identity)),
  listOf: (user) => items.all({ pk: userKey(user).pk, prefix: USER_IDENTITY_PREFIX }),
});

/** By themselves; `DynamoDbIdentifiedUsers` reads them. */
export const dynamoDbIdentities = (items: DirectoryItems): Identities => ({
  ownerOf: async (identity) =>
    (await items.get<{ readonly user: string }>(identityKey(identity)))?.user,
  add: async (user, identity) => {
    const added = await items.putItem({
      Item: { ...identityKey(identity), user },
      ConditionExpression: 'attribute_not_exists(pk) OR #user = :user',
      ...ofUser(user),
    });
    return added ? 'added' : 'taken';
  },
  remove: async (user, identity) => {
    await items.deleteItem({
      Key: identityKey(identity),
      ConditionExpression: '#user = :user',
      ...ofUser(user),
    });
  },
});

/** The attribute `user` and its value in a condition; USER is a word of DynamoDB's own. */
const ofUser = (user: string) => ({
  ExpressionAttributeNames: { '#user': 'user' },
  ExpressionAttributeValues: { ':user': user },
});

/** The users of identities in table Directory: an identity's item names the user. */
export class DynamoDbIdentifiedUsers extends DirectoryItems implements IdentifiedUsers {
  async findUser(identity: SignInIdentity): Promise<User | undefined> {
    const found = await this.get<{ readonly user: string }>(identityKey(identity));
    return found && this.get<User>(userKey(found.user));
  }
}
