import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import type { ApiReply } from '../support/journey/platform-of.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { isAuthentic } from '../support/receiver/received-deliveries.ts';
import type { ReceivedRequest } from '../support/receiver/received-requests.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

/** Whether the standardwebhooks library verifies a request with a secret. */
const verifies = ({ body, headers }: ReceivedRequest, secret: string): boolean => {
  const format = secret.startsWith('whsec_') ? undefined : ('raw' as const);
  try {
    new Webhook(secret, { format }).verify(body.toString(), { ...headers });
    return true;
  } catch {
    return false;
  }
};

const rotate = async (webhook: CustomerWebhook, body?: unknown): Promise<string> => {
  const reply = await webhook.post('/rotate-secret', body);
  expect(reply.status).toBe(200);
  return (reply.document.config as { nextWebhookSecret: string }).nextWebhookSecret;
};

const switchSecret = async (webhook: CustomerWebhook, body: object): Promise<ApiReply> => {
  const reply = await webhook.post('/switch-secret', body);
  expect(reply.status).toBe(200);
  return reply;
};

/** Publishes events until it is stopped, four at a time. */
const streamOf = ({ customer, deliveries }: CustomerWebhook) => {
  let isOn = true;
  const ended = (async () => {
    while (isOn) {
      const some = customer.sampleEvents(4);
      await customer.publish(...some);
      await deliveries.each(some);
    }
  })();
  return {
    /** Resolves when so many more have arrived. */
    more: (count: number) => deliveries.count(deliveries.all.length + count),
    stop: () => {
      isOn = false;
      return ended;
    },
  };
};

describe.concurrent('A webhook secret', () => {
  it.each([
    ['webhook-signature', verifies],
    ['X-Service-Signature', isAuthentic],
  ])('is rotated, and again, and its receiver verifies each %s', async (header, isVerified) => {
    const path = `/handover/${header}`;
    const webhook = await CustomerWebhook.at(receiver, path);
    let secrets = [webhook.secret];
    const unverified: ReceivedRequest[] = [];
    receiver.behave(path, (connection, request) => {
      if (!secrets.some((secret) => isVerified(request, secret))) unverified.push(request);
      return answer(204)(connection, request);
    });
    const stream = streamOf(webhook);

    await stream.more(8);
    for (let rotation = 0; rotation < 2; rotation += 1) {
      const secret = await rotate(webhook);
      // As receivers do it: the old one for a while, then both, then the new one.
      await stream.more(12);
      secrets = [...secrets, secret];
      await stream.more(12);
      await switchSecret(webhook, { webhookSecret: secret });
      await stream.more(12);
      secrets = [secret];
      await stream.more(12);
    }
    await stream.stop();

    expect(unverified).toEqual([]);
    expect(await webhook.read()).toMatchObject({ status: 'active' });
  });
});
