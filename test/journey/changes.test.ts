import { describe, expect, it } from 'vitest';
import type { Change } from '../../core/changes/change-resource.ts';
import { CustomerWebhook } from '../support/journey/customer-webhook.ts';
import { eventually } from '../support/journey/platform.ts';
import { receiverOfFile } from '../support/receiver/journey-receiver.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const receiver = await receiverOfFile();

/** The changes of the customer, oldest first, once there are so many. */
const changesOf = async ({ customer }: CustomerWebhook, count: number) => {
  const { document } = await eventually(
    () => customer.call('GET', `/${customer.account}/changes`),
    (page) => page.document.totalItems === count,
  );
  return (document.member as Change[]).toReversed();
};

describe('The changes of an integration', () => {
  it('are announced with who made them, what changed, and why it failed', async () => {
    const webhook = await CustomerWebhook.at(receiver, '/changes', { behaves: [answer(500)] });
    const { customer, id } = webhook;
    const patch = (body: object) => customer.call('PATCH', id, { body });
    await patch({ settings: { actions: { 'contact.created': true } } });
    const webhookSecret = 'another secret, of my choice';
    await webhook.post('/rotate-secret', { webhookSecret });
    await webhook.post('/switch-secret', { webhookSecret });
    await customer.publish(customer.sampleEvent());
    await webhook.becomes('failed');
    await customer.publish(...customer.sampleEvents(2));
    await eventually(
      () => webhook.pending(),
      ({ length }) => length === 3,
    );
    receiver.behave('/changes', answer(204));
    await webhook.post('/retry');
    await webhook.becomes('active');
    await patch({ active: false });
    await customer.call('DELETE', id);

    const changes = await changesOf(webhook, 8);

    const [user, service] = [
      { user: `/users/${customer.user}`, token: expect.stringMatching(/^tok_/) },
      'service',
    ];
    const failure = { statusCode: 500, since: expect.any(String) };
    const members = [{ name: 'settings.actions.contact.created', from: false, to: true }];
    expect(changes).toMatchObject([
      { kind: 'created', by: user },
      { kind: 'settings-changed', by: user, members },
      { kind: 'settings-changed', by: user, members: [{ name: 'config.nextWebhookSecret' }] },
      { kind: 'secret-rotated', by: user },
      { kind: 'failed', by: service, ...failure },
      { kind: 'recovered', by: service, ...failure, endedBy: 'success' },
      { kind: 'deactivated', by: user },
      { kind: 'deleted', by: user },
    ]);
    for (const change of changes) {
      expect(change).toMatchObject({
        id: expect.stringMatching(/\/changes\/chg_\d+-/),
        integration: webhook.id,
        baseUrl: `${new URL(receiver.url('/')).origin}/…`,
      });
    }
    expect(JSON.stringify(changes)).not.toContain(webhook.secret);
  });
});
