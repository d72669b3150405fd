import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { IdentifiedUsers, SignInIdentity } from '../../core/directory/sign-in.ts';
import type { User } from '../../core/directory/user.ts';
import { DirectoryItems } from './directory-items.ts';
import { identityKey, userKey } from './directory-keys.ts';

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
