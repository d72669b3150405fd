import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { useTables } from 'local-aws/test/support/tables.ts';
import { describe, expect, it } from 'vitest';
import { DynamoDbUserSignatures } from '../../adapters/dynamodb/directory/accounts.ts';
import { signatureKey, userKey } from '../../adapters/dynamodb/directory/directory-items.ts';
import type { UserSignatures } from '../../core/directory/user.ts';
import { InMemoryUserSignatures } from '../support/directory/in-memory-user-signatures.ts';

interface Subject {
  readonly signatures: UserSignatures;
  add(user: string, account: string, content?: string): Promise<void>;
}

const userSignaturesContract = (name: string, create: () => Promise<Subject>) =>
  describe(`${name} as the store of signatures`, () => {
    it('finds a signature with the account of its user', async () => {
      const { signatures, add } = await create();
      await add('usr_1', 'acme', 'Best regards,\n🦊 Иван');
      expect(await signatures.findSignature('usr_1')).toEqual({
        account: 'acme',
        content: 'Best regards,\n🦊 Иван',
      });
    });

    it('finds an empty text for a user without a signature', async () => {
      const { signatures, add } = await create();
      await add('usr_1', 'acme');
      expect(await signatures.findSignature('usr_1')).toEqual({ account: 'acme', content: '' });
    });

    it('finds nothing for an unknown user', async () => {
      const { signatures, add } = await create();
      await add('usr_1', 'acme', 'Best regards');
      expect(await signatures.findSignature('usr_')).toBeUndefined();
      expect(await signatures.findSignature('usr_11')).toBeUndefined();
    });
  });

userSignaturesContract('memory', async () => {
  const signatures = new InMemoryUserSignatures();
  return {
    signatures,
    add: async (user, account, content) => void signatures.add(user, account, content),
  };
});

describe('DynamoDB', () => {
  const tables = useTables();
  let directory: string;

  const put = (Item: Record<string, unknown>) =>
    tables.client.send(new PutCommand({ TableName: directory, Item }));

  userSignaturesContract('the directory', async () => {
    directory = await tables.createTable('pk', 'sk');
    return {
      signatures: new DynamoDbUserSignatures(tables.client, directory),
      add: async (user, account, content) => {
        await put({ ...userKey(user), primaryAccount: account });
        if (content !== undefined) await put({ ...signatureKey(user), content });
      },
    };
  });

  it('gives no signature without its user', async () => {
    directory = await tables.createTable('pk', 'sk');
    await put({ ...signatureKey('usr_1'), content: 'left behind' });
    const signatures = new DynamoDbUserSignatures(tables.client, directory);
    expect(await signatures.findSignature('usr_1')).toBeUndefined();
  });
});
