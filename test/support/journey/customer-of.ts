import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { administrationPorts } from '../../../adapters/dynamodb/directory/administration-ports.ts';
import { buildAdministration } from '../../../core/directory/administration.ts';
import type { Role } from '../../../core/directory/user.ts';
import type { Endpoints } from '../../../local/endpoints-file.ts';
import {
  awsClientConfigOf,
  type Observers,
  type Platform,
  platformOf,
  type SampleEvent,
} from './platform-of.ts';

export interface Customer extends Platform {
  readonly account: string;
  readonly user: string;
  /** The user's token of each role. Calls use the admin's by default. */
  readonly tokens: Readonly<Record<Role, string>>;
  /** Each event occurred a second after the one before. */
  sampleEvents(count: number): SampleEvent[];
  /** An admin's token that was revoked before its first use, so no cache has it. */
  newRevokedToken(): Promise<string>;
}

/** A new customer of a service: an account with a user and tokens. */
export const newCustomerOf = async (
  service: Endpoints,
  directoryTable: string,
  watchedBy: Observers = {},
): Promise<Customer> => {
  const administration = buildAdministration(
    administrationPorts(new DynamoDBClient(awsClientConfigOf(service)), directoryTable),
  );
  const account = `t-${randomBytes(6).toString('hex')}`;
  await administration.createAccount(account);
  const user = `u_${account}`;
  await administration.createUser(user, account, 'admin');
  const { token: admin } = await administration.issueToken(user, 'admin', 'a test');
  const { token: member } = await administration.issueToken(user, 'member', 'a test');
  const platform = platformOf({ ...service, account, adminToken: admin }, watchedBy);
  return {
    ...platform,
    account,
    user,
    tokens: { admin, member },
    newRevokedToken: async () => {
      const { token, issued } = await administration.issueToken(user, 'admin', 'a test');
      await administration.revokeToken(account, issued.id);
      return token;
    },
    sampleEvents: (count) =>
      Array.from({ length: count }, (_, index) =>
        platform.sampleEvent({
          occurredAt: new Date(FIRST_EVENT_AT + index * 1_000).toISOString(),
        }),
      ),
  };
};

const FIRST_EVENT_AT = Date.parse('2026-11-20T12:00:00.000Z');
