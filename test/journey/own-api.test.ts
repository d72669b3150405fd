import { describe, expect, it } from 'vitest';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { answer, type Behaviour } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

describe('A webhook that leads to the API of the service', () => {
  it('does not resend its own delivery for ever', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/own-api');
    const { customer, id } = webhook;
    const event = customer.sampleEvent();
    await customer.publish(event);
    await webhook.deliveryThat(event, ({ deliveredAt }) => deliveredAt !== undefined);
    const resend = `/deliveries/${event.id}/resend`;
    /** As if the address were that of the resend, with a token in `config.headers`. */
    const forwards: Behaviour = async (connection, request) => {
      const headers = { 'User-Agent': request.headers['user-agent'] ?? '' };
      const { status } = await customer.call('POST', id + resend, { headers });
      answer(status)(connection, request);
    };
    receiver.behave('/own-api', forwards);

    expect((await webhook.post(resend)).status).toBe(202);
    const { attempts } = await webhook.deliveryThat(event, (read) => read.attempts.length > 1);
    expect(attempts.map(({ statusCode }) => statusCode)).toEqual([200, 403]);
  });
});
