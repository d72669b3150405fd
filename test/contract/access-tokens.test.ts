import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { tokenKey } from '../../adapters/dynamodb/directory-items.ts';
import { DynamoDbAccessTokens } from '../../adapters/dynamodb/dynamodb-tokens.ts';
import { hashAccessToken } from '../../core/directory/access-token.ts';
import type { AccessTokens } from '../../core/directory/authenticate.ts';
import type { Principal } from '../../core/directory/user.ts';
import { useTables } from '../support/adapters/emulated-tables.ts';
import { InMemoryAccessTokens } from '../support/directory/in-memory-access-tokens.ts';

interface Subject {
  readonly tokens: AccessTokens;
  issue(token: string, principal: Principal): Promise<void>;
  revoke(token: string, principal: Principal): Promise<void>;
}

const MEMBER: Principal = { user: 'usr_1', account: 'acme', role: 'member' };

/** Three instants, each an hour after the one before. */
const AT = [
  '2026-11-20T12:00:00.000Z',
  '2026-11-20T13:00:00.000Z',
  '2026-11-20T14:00:00.000Z',
] as const;

const accessTokensContract = (name: string, create: () => Promise<Subject>) =>
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

  accessTokensContract('the directory', async () => {
    const TableName = await tables.createTable('pk', 'sk');
    const put = async (token: string, members: Record<string, unknown>) => {
      const Item = { ...tokenKey(hashAccessToken(token)), tokenId: 'tok_1', ...members };
      await tables.client.send(new PutCommand({ TableName, Item }));
    };
    return {
      tokens: new DynamoDbAccessTokens(tables.client, TableName),
      issue: (token, principal) => put(token, { ...principal }),
      revoke: (token, principal) =>
        put(token, { ...principal, revokedAt: '2026-11-20T12:00:00.000Z' }),
    };
  });
});
