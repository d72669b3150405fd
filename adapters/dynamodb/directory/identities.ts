import type {
  IdentifiedUsers,
  Identities,
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

/** By themselves, as `DynamoDbIdentifiedUsers` reads them, and under their user. */
export const dynamoDbIdentities = (items: DirectoryItems): Identities => ({
  listOf: (user) => items.all({ pk: userKey(user).pk, prefix: USER_IDENTITY_PREFIX }),
  add: async (user, identity) => {
    const isAdded = await items.together(
      items.putting(identityKey(identity), { user }, unlessOfAnother(user)),
      items.putting(userIdentityKey(user, identity), identity),
    );
    return isAdded ? 'added' : 'taken';
  },
  remove: async (user, identity) => {
    await items.together(
      items.deleting(identityKey(identity), unlessOfAnother(user)),
      items.deleting(userIdentityKey(user, identity)),
    );
  },
});

/** USER is a word of DynamoDB's own. */
const unlessOfAnother = (user: string) => ({
  ConditionExpression: 'attribute_not_exists(pk) OR #user = :user',
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
