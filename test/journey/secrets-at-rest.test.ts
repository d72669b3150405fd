import { DynamoDBClient, paginateListTables, paginateScan } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { awsClientConfig } from '../support/journey/platform.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

/** Every item of every table, as text. */
const itemsAtRest = async (): Promise<string[]> => {
  const client = new DynamoDBClient(awsClientConfig);
  const items: string[] = [];
  for await (const { TableNames = [] } of paginateListTables({ client }, {})) {
    for (const TableName of TableNames) {
      for await (const { Items = [] } of paginateScan({ client }, { TableName })) {
        items.push(...Items.map((item) => JSON.stringify(item)));
      }
    }
  }
  return items;
};

/** A secret with and without the prefix of Standard Webhooks. */
const traces = (secret: string): string[] => [secret, secret.replace('whsec_', '')];

const secretIn = (document: object, member = 'webhookSecret'): string =>
  String((document as { config: Record<string, unknown> }).config[member]);

describe('What the tables have', () => {
  it('is no secret of a webhook, no value of its headers, and no signature', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/at-rest', {
      behaves: [answer(500), answer(200)],
    });
    const { customer, id } = webhook;
    const config = { baseUrl: receiver.url('/at-rest') };
    const made = webhook.secret;
    const rotated = secretIn(
      (await webhook.post('/rotate-secret', {})).document,
      'nextWebhookSecret',
    );
    await webhook.post('/switch-secret', { webhookSecret: rotated });
    const chosen = 'a secret of my choice, at rest';
    const clientSecret = 'for my clients, at rest';
    const header = 'a key of the gateway, at rest';
    await customer.call('PATCH', id, {
      body: { config: { clientSecret, headers: { 'X-Api-Key': header } } },
    });
    await webhook.post('/rotate-secret', { webhookSecret: chosen });
    const headers = { 'idempotency-key': 'at-rest-1' };
    const body = { active: true, provider: 'webhook', config, settings: {} };
    const calls = await Promise.all(
      [1, 2].map(() =>
        customer.call('POST', `/${customer.account}/integrations`, { body, headers }),
      ),
    );
    const keyed = calls.map(({ document }) => secretIn(document));
    // An event that fails is pending, and is logged with the attempt of the test.
    await webhook.post('/test', { eventType: 'message.received' });
    const event = customer.sampleEvent();
    await customer.publish(event);
    await webhook.deliveries.each([event]);
    const signatures = webhook.deliveries.all.flatMap(({ headers: sent }) => [
      String(sent['x-service-signature']),
      ...String(sent['webhook-signature']).split(' '),
    ]);

    expect(webhook.deliveries.all.map(({ headers: sent }) => sent['x-api-key'])).toContain(header);

    const items = await itemsAtRest();

    expect(new Set(keyed).size).toBe(1);
    expect(signatures.length).toBeGreaterThan(3);
    const secrets = [made, rotated, chosen, clientSecret, header, ...keyed].flatMap(traces);
    expect(secrets.every((secret) => secret.length > 15)).toBe(true);
    expect(items.some((item) => item.includes(id.split('/').at(-1) ?? ''))).toBe(true);
    for (const secret of [...secrets, ...signatures]) {
      expect(items.filter((item) => item.includes(secret))).toEqual([]);
    }
  });
});
