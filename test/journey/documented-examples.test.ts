import { describe, expect, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import {
  answerExamplesOf,
  bodyExamplesOf,
  operationOf,
  shapeOf,
  successOf,
  TOLD_MEMBERS,
} from '../support/lambdas/documented-operations.ts';
import { filledPath } from '../support/lambdas/route-requests.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

/** Ten of the examples. The unit test of the same name performs all of them in memory. */
const EXAMPLES = [
  ['createIntegration', 'subscribed'],
  ['replaceIntegration', 'replaced'],
  ['patchIntegration', 'inactive'],
  ['rotateSecret', 'own'],
  ['getIntegration', 'active'],
  ['testIntegration', 'confirmed'],
  ['retryNow', 'nothing-to-retry'],
  ['resendDelivery', 'accepted'],
  ['requestRecovery', 'begun'],
  ['createAccessToken', 'member'],
] as const;

describe.concurrent('The running service', () => {
  it.each(EXAMPLES)('answers a documented request as documented: %s, %s', async (id, name) => {
    const { route, operation } = operationOf(id);
    const [body] = bodyExamplesOf(operation).toSorted((one) => (one.name === name ? -1 : 1));
    const webhook = await CustomerWebhook.at(receiver, `/example/${id}`, {
      behaves: [answer(200, { body: 'OK' })],
      actions: { 'message.received': true, 'message.failed': true },
    });
    const { account, call, publish, sampleEvent } = webhook.customer;
    const event = sampleEvent();
    await publish(event);
    await webhook.deliveryThat(event, ({ outcome }) => outcome === 'delivered');
    const values = { account_name: account, id: webhook.bareId, event: event.id };

    const { status, document } = await call(route.method, filledPath(route.path, values), {
      ...(body && { body: body.value }),
    });

    const { warnings: _, ...shown } = document;
    const example = answerExamplesOf(operation, status).find((one) => one.name === name);
    expect(status).toBe(successOf(operation));
    expect(shapeOf(shown, TOLD_MEMBERS)).toEqual(shapeOf(example?.value, TOLD_MEMBERS));
  });
});
