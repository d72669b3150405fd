import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { administrationPorts } from '../../adapters/dynamodb/directory/administration-ports.ts';
import { DynamoDbIdentifiedUsers } from '../../adapters/dynamodb/directory/identities.ts';
import type { IdentifiedUsers, Identities, SignInIdentity } from '../../core/directory/sign-in.ts';
import type { User, Users } from '../../core/directory/user.ts';
import { inMemoryDirectory } from '../support/directory/in-memory-directory.ts';

interface IdentitySubject {
  readonly users: Users;
  readonly identities: Identities;
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
      expect(await identities.listOf('ada')).toEqual([OF_ADA]);
      expect(await identities.listOf('bob')).toEqual([]);
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
      await users.remove(ADA);
      expect(await identifiedUsers.findUser(OF_ADA)).toBeUndefined();
      expect(await users.find('bob')).toEqual(BOB);
    });
  });

  describe(`${name} as the list of a user's identities`, () => {
    it('has each identity once, and those of no other user', async () => {
      const { identities } = await createWithUsers();
      for (const identity of [OF_ADA, OF_ADA, OTHER]) await identities.add('ada', identity);
      const listed = await identities.listOf('ada');
      expect(listed.toSorted((a, b) => a.subject.localeCompare(b.subject))).toEqual([
        OF_ADA,
        OTHER,
      ]);
      await identities.remove('ada', OTHER);
      expect(await identities.listOf('ada')).toEqual([OF_ADA]);
      expect(await identities.listOf('bob')).toEqual([]);
    });
  });
};

identitiesContract('memory', async () => {
  const directory = inMemoryDirectory();
  return { ...directory, identifiedUsers: directory.identities };
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
});
