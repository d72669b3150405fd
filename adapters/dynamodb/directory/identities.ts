import type {
  IdentifiedUsers,
  Identities,
  IdentityList,
  SignInIdentity,
} from '../../../core/directory/sign-in.ts';
import type { User } from '../../../core/directory/user.ts';
import {
  DirectoryItems,
  DirectoryPart,
  identityKey,
  USER_IDENTITY_PREFIX,
  userIdentityKey,
  userKey,
} from './directory-items.ts';

/** The identities of table Directory under their user. */
export class DynamoDbIdentityList extends DirectoryPart implements IdentityList {
  put(user: string, identity: SignInIdentity): Promise<void> {
    return this.items.put(userIdentityKey(user, identity), identity);
  }

  remove(user: string, identity: SignInIdentity): Promise<void> {
    return this.items.remove(userIdentityKey(user, identity));
  }

  listOf(user: string): Promise<readonly SignInIdentity[]> {
    return this.items.all({ pk: userKey(user).pk, prefix: USER_IDENTITY_PREFIX });
  }
}

/** The identities of table Directory by themselves; `DynamoDbIdentifiedUsers` reads them. */
export class DynamoDbIdentities extends DirectoryPart implements Identities {
  async ownerOf(identity: SignInIdentity): Promise<string | undefined> {
    return (await this.items.get<{ readonly user: string }>(identityKey(identity)))?.user;
  }

  async add(user: string, identity: SignInIdentity): Promise<'added' | 'taken'> {
    const added = await this.items.putItem({
      Item: { ...identityKey(identity), user },
      ConditionExpression: 'attribute_not_exists(pk) OR #user = :user',
      ...ofUser(user),
    });
    return added ? 'added' : 'taken';
  }

  async remove(user: string, identity: SignInIdentity): Promise<void> {
    await this.items.deleteItem({
      Key: identityKey(identity),
      ConditionExpression: '#user = :user',
      ...ofUser(user),
    });
  }
}

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
