import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import type { AttemptDocument } from '../../core/delivery/resources/delivery-resource.ts';
import { EVENT_CATALOGUE } from '../../core/event/event-catalogue.ts';
import { CustomerWebhook, eventOfDelivery } from '../support/journey/customer-webhook.ts';
import { awsClientConfig, eventually } from '../support/journey/platform.ts';
import { outputs } from '../support/journey/service-state.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { isAuthentic } from '../support/receiver/received-deliveries.ts';
import type { ReceivedRequest } from '../support/receiver/received-requests.ts';
import {
  answer,
  type Behaviour,
  closeWithoutAnswer,
} from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

/** Headers that HTTP adds to a request. */
const OF_HTTP = ['host', 'connection', 'content-length'];

const headersOf = ({ headers }: ReceivedRequest) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_HTTP.includes(name)));

const lowerCased = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

interface Test {
  readonly delivery: string;
  readonly attempt: AttemptDocument;
  readonly request: { url: string; headers: Record<string, string>; body: string };
}

const test = async (webhook: CustomerWebhook, eventType = 'message.received') => {
  const { status, document } = await webhook.post('/test', { eventType });
  expect(status).toBe(200);
  return document as unknown as Test;
};

const ATTEMPT = {
  '@type': 'Attempt',
  number: 1,
  trigger: 'test',
  startedAt: expect.stringMatching(/Z$/),
  durationMs: expect.toSatisfy((ms) => Number.isInteger(ms) && ms >= 0),
};

const unconfirmed: [what: string, Behaviour, expected: Record<string, unknown>][] = [
  [
    'fails',
    answer(500, { body: 'Oh no.' }),
    {
      outcome: 'fatal',
      statusCode: 500,
      explanation: '/reasons/status-500',
      response: 'Oh no.',
    },
  ],
  [
    'hangs up',
    closeWithoutAnswer,
    {
      outcome: 'transient',
      reason: 'connection-failed',
      detail: 'the connection failed before an answer arrived',
      code: 'ECONNRESET',
      explanation: '/reasons/connection-failed',
    },
  ],
];

describe.concurrent('A test', () => {
  it.each(['message.received', 'phone_call.completed'] as const)(
    'of %s arrives as its answer shows it, and verifies',
    async (eventType) => {
      const path = `/tested/${eventType}`;
      const page = `<p>${'x'.repeat(2_000)}`;
      const webhook = await CustomerWebhook.at(receiver, path, {
        behaves: [answer(201, { body: page })],
      });

      const tested = await test(webhook, eventType);

      const [received, ...others] = webhook.deliveries.all;
      if (received === undefined) throw new Error('It did not arrive.');
      expect(others).toEqual([]);
      expect(tested).toEqual({
        '@context': '/contexts/WebhookTest.jsonld',
        '@type': 'WebhookTest',
        integration: webhook.id,
        delivery: expect.stringMatching(
          new RegExp(`^${webhook.id}/deliveries/test_[0-9A-Za-z]{20}$`),
        ),
        eventType,
        request: {
          url: receiver.url(path),
          headers: expect.anything(),
          body: received.body.toString(),
        },
        attempt: {
          ...ATTEMPT,
          outcome: 'delivered',
          statusCode: 201,
          response: page.slice(0, 1_024),
        },
      });
      expect(lowerCased(tested.request.headers)).toEqual(headersOf(received));
      expect(isAuthentic(received, webhook.secret)).toBe(true);
      expect(
        new Webhook(webhook.secret).verify(tested.request.body, lowerCased(tested.request.headers)),
      ).toMatchObject({
        id: tested.delivery,
        action: eventType,
        data: EVENT_CATALOGUE[eventType].sample,
      });
      const delivery = await webhook.delivery({ id: eventOfDelivery({ id: tested.delivery }) });
      expect(delivery).toMatchObject({
        eventType,
        outcome: 'delivered',
        isPending: false,
        body: tested.request.body,
        attempts: [{ number: 1, trigger: 'test', statusCode: 201 }],
      });
    },
  );

  it.each(unconfirmed)(
    'tells of an endpoint that %s, and leaves the webhook healthy',
    async (what, behaviour, expected) => {
      const webhook = await CustomerWebhook.at(receiver, `/unconfirmed/${what}`.replace(' ', '-'), {
        behaves: [behaviour],
      });
      const before = await webhook.read();

      const tested = await test(webhook);

      expect(tested.attempt).toEqual({ ...ATTEMPT, ...expected });
      expect(await webhook.read()).toEqual(before);
      const delivery = await webhook.delivery({ id: eventOfDelivery({ id: tested.delivery }) });
      expect(delivery).toMatchObject({ outcome: expected.outcome, isPending: false });
      expect(delivery.attempts).toHaveLength(1);
      expect(delivery.attempts[0]).not.toHaveProperty('nextAttemptAt');
    },
  );
});

const tables = DynamoDBDocumentClient.from(new DynamoDBClient(awsClientConfig));

const REASON = 'address-refused';

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
  it('is failed by its first event, and retried until its trouble ends', async () => {
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
    expect(recovery.status).toBe(202);
    await eventually(
      () => webhook.read(),
      (read) => read.status === 'failed' && read.failure?.since !== failure?.since,
    );
    const { attempts } = await webhook.deliveryThat(event, ({ isPending }) => isPending);
    expect(attempts.map(({ trigger }) => trigger)).toContain('replay');
    expect(new Set(attempts.map(({ reason }) => reason))).toEqual(new Set([REASON]));
    expect(webhook.deliveries.all).toEqual([]);
  });
});
