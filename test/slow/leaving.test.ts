import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import {
  admin,
  awsClientConfig,
  call,
  eventually,
  newAccount,
  publish,
  register,
  sampleEvent,
} from '../support/journey/platform.ts';
import { endHour, outputs, pendingOf, schedulesOf } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();
const client = DynamoDBDocumentClient.from(new DynamoDBClient(awsClientConfig));

/** The items of a table that mention a text. Hashes of tokens mention nothing. */
const mentionsIn = async (table: string, text: string): Promise<unknown[]> => {
  const TableName = (await outputs)[`${table}TableName`];
  const items: unknown[] = [];
  for await (const { Items = [] } of paginateScan(
    { client },
    { TableName, ConsistentRead: true },
  )) {
    items.push(...Items.filter((item) => JSON.stringify(item).includes(text)));
  }
  return items;
};

/** An organisation with an account below, and a webhook that refuses its only event. */
const failedCustomer = async () => {
  const { account, user, adminToken } = await newAccount();
  await admin('accounts', 'create', `${account}-sms`, '--parent', account);
  const member = `${user}-sms`;
  await admin('users', 'create', member, '--account', `${account}-sms`);
  await admin('users', 'identify', member, '--issuer', 'https://id.example.com', '--sub', member);
  await admin('signatures', 'set', user, 'Ada');
  receiver.behave(`/${account}`, answer(500));
  const webhook = await register(receiver.url(`/${account}`), { account, token: adminToken });
  await publish(sampleEvent({ account }));
  await eventually(
    () => pendingOf(webhook.bareId),
    ({ length }) => length === 1,
  );
  return { account, adminToken, ...webhook };
};

describe('A customer who leaves', () => {
  it('is removed with all its accounts, users, tokens, webhooks and events', async () => {
    const { account, adminToken: token, bareId } = await failedCustomer();

    expect(await admin('accounts', 'remove', account, '--yes')).toMatchObject({
      account: { name: account },
      removed: {
        accountsBelow: 1,
        users: 2,
        signIns: 1,
        signatures: 1,
        tokens: 2,
        integrations: 1,
        pendingEvents: 1,
        isExact: true,
      },
    });

    // The gateway knows a token for up to a minute after it was read.
    await eventually(
      async () => (await call('GET', `/${account}/integrations`, { token })).status,
      (status) => status === 401,
    );
    expect(await mentionsIn('Directory', account)).toEqual(
      [account, `${account}-sms`].map(() => expect.objectContaining({ sk: 'REMOVED' })),
    );
    expect(await mentionsIn('Integrations', account)).toEqual([]);
    // The schedule of a deletion removes itself when it fires.
    await endHour({ customer: { account }, bareId });
    await eventually(
      async () => [...(await pendingOf(bareId)), ...(await schedulesOf(bareId))],
      (left) => left.length === 0,
    );
    await expect(admin('accounts', 'create', account)).rejects.toThrow('the name is blocked until');
    expect(await admin('accounts', 'create', account, '--reuse-name')).toMatchObject({
      name: account,
    });
  });

  it('is removed person by person', async () => {
    const { account, user, memberToken: token } = await newAccount();

    expect(await admin('users', 'remove', user, '--yes')).toMatchObject({ removed: { tokens: 2 } });

    // The gateway knows a token for up to a minute after it was read.
    await eventually(
      async () => (await call('GET', `/${account}/integrations`, { token })).status,
      (status) => status === 401,
    );
    expect(await mentionsIn('Directory', user)).toEqual([]);
  });
});
