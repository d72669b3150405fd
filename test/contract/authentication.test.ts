import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { administrationPorts } from '../../adapters/dynamodb/directory/administration-ports.ts';
import { tokenKey } from '../../adapters/dynamodb/directory/directory-items.ts';
import { DynamoDbIdentifiedUsers } from '../../adapters/dynamodb/directory/identities.ts';
import { DynamoDbAccessTokens } from '../../adapters/dynamodb/directory/tokens.ts';
import { hashAccessToken } from '../../core/directory/access-token.ts';
import type { AccessTokens } from '../../core/directory/authenticate.ts';
import type {
  IdentifiedUsers,
  Identities,
  IdentityList,
  SignInIdentity,
} from '../../core/directory/sign-in.ts';
import type { Principal, User, Users } from '../../core/directory/user.ts';
import { InMemoryAccessTokens } from '../support/directory/in-memory-access-tokens.ts';
import { inMemoryDirectory } from '../support/directory/in-memory-directory.ts';

interface IdentitySubject {
  readonly users: Users;
  readonly identities: Identities;
  readonly identityList: IdentityList;
  readonly identifiedUsers: IdentifiedUsers;
}

const ADA: User = {
  id: 'ada',
  account: 'acme',
  primaryAccount: 'acme',
  role: 'admin',
  createdAt: '2026-11-20T12:00:00.000Z',
};
const BOB: User = { ...ADA, id: 'bob', role: 'member' };
const OF_ADA: SignInIdentity = { issuer: 'https://id.example.com/pool', subject: 'sub-ada' };
const OTHER: SignInIdentity = { ...OF_ADA, subject: 'sub-other' };

const identitiesContract = (name: string, create: () => Promise<IdentitySubject>) => {
  const createWithUsers = async () => {
    const subject = await create();
    await subject.users.add(ADA);
    await subject.users.add(BOB);
    return subject;
  };

  describe(`${name} as the identities that sign in`, () => {
    it('leads from an identity to its user', async () => {
      const { identities, identifiedUsers } = await createWithUsers();
      expect(await identities.add('ada', OF_ADA)).toBe('added');
      expect(await identifiedUsers.findUser(OF_ADA)).toEqual(ADA);
    });

    it.each([
      ['another subject', OTHER],
      ['the subject of another issuer', { ...OF_ADA, issuer: 'https://id.example.com' }],
      ['the subject in another case', { ...OF_ADA, subject: 'SUB-ADA' }],
    ])('finds no user by %s', async (_what, identity) => {
      const { identities, identifiedUsers } = await createWithUsers();
      await identities.add('ada', OF_ADA);
      expect(await identifiedUsers.findUser(identity)).toBeUndefined();
    });

    it('leaves an identity with the user who has it', async () => {
      const { identities, identifiedUsers } = await createWithUsers();
      await identities.add('ada', OF_ADA);
      expect(await identities.add('bob', OF_ADA)).toBe('taken');
      expect(await identities.add('ada', OF_ADA)).toBe('added');
      await identities.remove('bob', OF_ADA);
      expect(await identifiedUsers.findUser(OF_ADA)).toEqual(ADA);
      expect(await identities.ownerOf(OF_ADA)).toBe('ada');
      expect(await identities.ownerOf(OTHER)).toBeUndefined();
    });

    it('finds no user by a removed identity, and still finds the others', async () => {
      const { identities, identifiedUsers } = await createWithUsers();
      await identities.add('ada', OF_ADA);
      await identities.add('ada', OTHER);
      await identities.remove('ada', OF_ADA);
      await identities.remove('ada', OF_ADA);
      expect(await identifiedUsers.findUser(OF_ADA)).toBeUndefined();
      expect(await identifiedUsers.findUser(OTHER)).toEqual(ADA);
    });

    it('finds no user by the identity of a user who was removed', async () => {
      const { users, identities, identifiedUsers } = await createWithUsers();
      await identities.add('ada', OF_ADA);
      await users.remove('ada');
      expect(await identifiedUsers.findUser(OF_ADA)).toBeUndefined();
      expect(await users.find('bob')).toEqual(BOB);
    });
  });

  describe(`${name} as the list of a user's identities`, () => {
    it('has each identity once, and those of no other user', async () => {
      const { identityList } = await createWithUsers();
      await identityList.put('ada', OF_ADA);
      await identityList.put('ada', OF_ADA);
      await identityList.put('ada', OTHER);
      await identityList.put('bob', OTHER);
      const listed = await identityList.listOf('ada');
      expect(listed.toSorted((a, b) => a.subject.localeCompare(b.subject))).toEqual([
        OF_ADA,
        OTHER,
      ]);
    });

    it('loses what is removed, from one user only', async () => {
      const { identityList } = await createWithUsers();
      await identityList.put('ada', OTHER);
      await identityList.put('bob', OTHER);
      await identityList.remove('ada', OTHER);
      expect(await identityList.listOf('ada')).toEqual([]);
      expect(await identityList.listOf('bob')).toEqual([OTHER]);
    });
  });
};

identitiesContract('memory', async () => {
  const directory = inMemoryDirectory();
  return { ...directory, identifiedUsers: directory.identities };
});

interface TokenSubject {
  readonly tokens: AccessTokens;
  issue(token: string, principal: Principal): Promise<void>;
  revoke(token: string, principal: Principal): Promise<void>;
}

const MEMBER: Principal = { user: 'usr_1', account: 'acme', role: 'member', token: 'tok_1' };

/** Three instants, each an hour after the one before. */
const AT = [
  '2026-11-20T12:00:00.000Z',
  '2026-11-20T13:00:00.000Z',
  '2026-11-20T14:00:00.000Z',
] as const;

const accessTokensContract = (name: string, create: () => Promise<TokenSubject>) =>
  describe(`${name} as the store of access tokens`, () => {
    it('knows whom a token speaks for by its hash', async () => {
      const { tokens, issue } = await create();
      await issue('mst_one', MEMBER);
      expect(await tokens.findPrincipal(hashAccessToken('mst_one'))).toEqual(MEMBER);
    });

    it('does not know a token by itself', async () => {
      const { tokens, issue } = await create();
      await issue('mst_one', MEMBER);
      expect(await tokens.findPrincipal('mst_one')).toBeUndefined();
    });

    it('does not know a token that was never issued', async () => {
      const { tokens } = await create();
      expect(await tokens.findPrincipal(hashAccessToken('mst_one'))).toBeUndefined();
    });

    it('does not know a token that was revoked, and still knows the others', async () => {
      const { tokens, issue, revoke } = await create();
      await issue('mst_one', MEMBER);
      await issue('mst_two', { ...MEMBER, role: 'admin' });
      await revoke('mst_one', MEMBER);
      expect(await tokens.findPrincipal(hashAccessToken('mst_one'))).toBeUndefined();
      expect(await tokens.findPrincipal(hashAccessToken('mst_two'))).toEqual({
        ...MEMBER,
        role: 'admin',
      });
    });

    it('knows when a token was used', async () => {
      const { tokens, issue } = await create();
      await issue('mst_one', MEMBER);
      await issue('mst_two', MEMBER);
      const hash = hashAccessToken('mst_one');
      await tokens.noteUse(hash, { usedAt: AT[1], unlessAfter: AT[0] });
      expect(await tokens.findPrincipal(hash)).toEqual({ ...MEMBER, lastUsedAt: AT[1] });
      expect(await tokens.findPrincipal(hashAccessToken('mst_two'))).toEqual(MEMBER);
    });

    it('notes a use only when none is noted for long', async () => {
      const { tokens, issue } = await create();
      await issue('mst_one', MEMBER);
      const hash = hashAccessToken('mst_one');
      await tokens.noteUse(hash, { usedAt: AT[1], unlessAfter: AT[0] });
      await tokens.noteUse(hash, { usedAt: AT[2], unlessAfter: AT[0] });
      expect(await tokens.findPrincipal(hash)).toMatchObject({ lastUsedAt: AT[1] });
      await tokens.noteUse(hash, { usedAt: AT[2], unlessAfter: AT[1] });
      expect(await tokens.findPrincipal(hash)).toMatchObject({ lastUsedAt: AT[2] });
    });

    it('notes no use of a token that was never issued', async () => {
      const { tokens } = await create();
      const hash = hashAccessToken('mst_one');
      await tokens.noteUse(hash, { usedAt: AT[1], unlessAfter: AT[0] });
      expect(await tokens.findPrincipal(hash)).toBeUndefined();
    });
  });

accessTokensContract('memory', async () => {
  const tokens = new InMemoryAccessTokens();
  return {
    tokens,
    issue: async (token, principal) => void tokens.issue(token, principal),
    revoke: async (token) => tokens.shutOut(token),
  };
});

describe('DynamoDB', () => {
  const tables = useTables();

  identitiesContract('the Directory table', async () => {
    const table = await tables.createTable('pk', 'sk');
    return {
      ...administrationPorts(tables.client, table),
      identifiedUsers: new DynamoDbIdentifiedUsers(tables.client, table),
    };
  });

  accessTokensContract('the directory', async () => {
    const TableName = await tables.createTable('pk', 'sk');
    const put = async (
      token: string,
      { token: tokenId, ...members }: Principal & { revokedAt?: string },
    ) => {
      const Item = { ...tokenKey(hashAccessToken(token)), tokenId, ...members };
      await tables.client.send(new PutCommand({ TableName, Item }));
    };
    return {
      tokens: new DynamoDbAccessTokens(tables.client, TableName),
      issue: put,
      revoke: (token, principal) =>
        put(token, { ...principal, revokedAt: '2026-11-20T12:00:00.000Z' }),
    };
  });
});
