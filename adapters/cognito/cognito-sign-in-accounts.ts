import {
  AdminCreateUserCommand,
  AdminDeleteUserCommand,
  AdminGetUserCommand,
  type AttributeType,
  type CognitoIdentityProviderClient,
  UserNotFoundException,
  UsernameExistsException,
} from '@aws-sdk/client-cognito-identity-provider';
import type { SignInAccounts } from '../../core/directory/identify-user.ts';
import type { SignInIdentity } from '../../core/directory/sign-in.ts';

/** A user pool of Amazon Cognito whose users sign in with their e-mail addresses. */
export class CognitoSignInAccounts implements SignInAccounts {
  readonly #client: CognitoIdentityProviderClient;
  readonly #userPoolId: string;
  readonly #issuer: string;

  constructor(
    client: CognitoIdentityProviderClient,
    { userPoolId, issuer }: { userPoolId: string; issuer: string },
  ) {
    this.#client = client;
    this.#userPoolId = userPoolId;
    this.#issuer = issuer;
  }

  async invite(email: string) {
    const created = await this.#create(email);
    const attributes = created ?? (await this.#attributesOf(email));
    return {
      identity: { issuer: this.#issuer, subject: subjectIn(attributes) },
      outcome: created === undefined ? ('known' as const) : ('invited' as const),
    };
  }

  /** The pool takes a person's `sub` as the username. */
  async remove({ issuer, subject }: SignInIdentity): Promise<void> {
    if (issuer !== this.#issuer) return;
    try {
      await this.#client.send(
        new AdminDeleteUserCommand({ UserPoolId: this.#userPoolId, Username: subject }),
      );
    } catch (fault) {
      if (!(fault instanceof UserNotFoundException)) throw fault;
    }
  }

  /** undefined when the pool has a user of the address. */
  async #create(email: string): Promise<readonly AttributeType[] | undefined> {
    const create = new AdminCreateUserCommand({
      UserPoolId: this.#userPoolId,
      Username: email,
      UserAttributes: [
        { Name: 'email', Value: email },
        { Name: 'email_verified', Value: 'true' },
      ],
      // Cognito invites by text message otherwise.
      DesiredDeliveryMediums: ['EMAIL'],
    });
    try {
      const { User } = await this.#client.send(create);
      return User?.Attributes ?? [];
    } catch (fault) {
      if (fault instanceof UsernameExistsException) return undefined;
      throw fault;
    }
  }

  async #attributesOf(email: string): Promise<readonly AttributeType[]> {
    const get = new AdminGetUserCommand({ UserPoolId: this.#userPoolId, Username: email });
    return (await this.#client.send(get)).UserAttributes ?? [];
  }
}

const subjectIn = (attributes: readonly AttributeType[]): string => {
  const subject = attributes.find(({ Name }) => Name === 'sub')?.Value;
  if (subject === undefined) throw new Error('The user pool tells no "sub" of the user.');
  return subject;
};
