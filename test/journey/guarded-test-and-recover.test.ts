import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { awsClientConfig, eventually } from '../support/journey/platform.ts';
import { outputs } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';

const receiver = await receiverOfFile();

const tables = DynamoDBDocumentClient.from(new DynamoDBClient(awsClientConfig));

const REASON = 'the address is not one we deliver to (private, local or reserved)';

/**
 * One whose address is refused by now. The API takes no such address, and what stands for one here
 * is a name that led elsewhere when it was saved.
 */
const refusedWebhook = async (path: string): Promise<CustomerWebhook> => {
  const webhook = await CustomerWebhook.at(receiver, path);
  await tables.send(
    new UpdateCommand({
      TableName: (await outputs).IntegrationsTableName,
      Key: { account: webhook.customer.account, id: webhook.bareId },
      UpdateExpression: 'SET config.baseUrl = :url',
      ExpressionAttributeValues: { ':url': 'https://10.0.0.1/in' },
    }),
  );
  return webhook;
};

describe.concurrent('A webhook whose address has become one that is refused', () => {
  it('is tested through the guard', async () => {
    const webhook = await refusedWebhook('/guarded/test');

    const { status, document } = await webhook.post('/test', { eventType: 'message.received' });

    expect(status).toBe(200);
    expect(document).toMatchObject({
      attempt: { outcome: 'fatal', reason: REASON },
      request: { url: 'https://10.0.0.1/in' },
    });
    expect(document.attempt).not.toHaveProperty('statusCode');
    expect(await webhook.read()).toMatchObject({ status: 'active', isHealthy: true });
  });

  it('is failed by its first event, and retried through the guard until its trouble ends', async () => {
    const webhook = await refusedWebhook('/guarded/event');
    const event = webhook.customer.sampleEvent();
    await webhook.customer.publish(event);
    const { failure } = await webhook.becomes('failed');

    const retry = await webhook.post('/retry');
    const recovery = await webhook.post('/recover', { since: event.occurredAt });

    expect(failure).toMatchObject({ reason: REASON });
    expect(retry.document).toMatchObject({
      result: 'still-failing',
      status: 'failed',
      attempt: { trigger: 'manual', outcome: 'fatal', reason: REASON },
    });
    expect(recovery.document).toMatchObject({ status: 'active' });
    await eventually(
      () => webhook.read(),
      (read) => read.status === 'failed' && read.failure?.since !== failure?.since,
    );
    const { attempts } = await webhook.deliveryThat(event, ({ isPending }) => isPending);
    expect(attempts.map(({ trigger }) => trigger)).toContain('replay');
    expect(new Set(attempts.map(({ reason }) => reason))).toEqual(new Set([REASON]));
    expect(webhook.deliveries.all).toEqual([]);
  });

  it('can be switched off, and can have another address', async () => {
    const webhook = await refusedWebhook('/guarded/change');

    const off = await webhook.customer.call('PATCH', webhook.id, { body: { active: false } });
    const mended = await webhook.customer.call('PATCH', webhook.id, {
      body: { config: { baseUrl: receiver.url('/guarded/change') } },
    });

    expect([off.status, mended.status]).toEqual([200, 200]);
    await webhook.post('/test', { eventType: 'message.received' });
    expect(webhook.deliveries.all).toHaveLength(1);
  });
});
