import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { administrationPorts } from '../../../adapters/dynamodb/dynamodb-directory.ts';
import {
  type Administration,
  buildAdministration,
} from '../../../core/directory/administration.ts';
import { ROLES, type Role } from '../../../core/directory/user.ts';
import { awsClientConfig } from './platform.ts';
import { outputs } from './service-state.ts';

/** An account with a user, and a token for every way to stand to it. */
export interface AccountWithCallers {
  readonly account: string;
  readonly user: string;
  readonly tokens: Readonly<Record<Role, string>>;
  /** An admin's. Revoked before its first use, so that nothing of it is in a cache. */
  readonly revokedToken: string;
}

const administrationOfService = async (): Promise<Administration> =>
  buildAdministration(
    administrationPorts(
      new DynamoDBClient(awsClientConfig),
      (await outputs).DirectoryTableName ?? '',
    ),
  );

export const newAccountWithCallers = async (): Promise<AccountWithCallers> => {
  const administration = await administrationOfService();
  const account = `t-${randomBytes(6).toString('hex')}`;
  const user = `u_${account}`;
  await administration.createAccount(account);
  await administration.createUser(user, account, 'admin');
  const issue = async (role: Role) =>
    [role, (await administration.issueToken(user, role, 'a test')).token] as const;
  const tokens = Object.fromEntries(await Promise.all(ROLES.map(issue))) as Record<Role, string>;
  const revoked = await administration.issueToken(user, 'admin', 'a test');
  await administration.revokeToken(account, revoked.issued.id);
  return { account, user, tokens, revokedToken: revoked.token };
};
