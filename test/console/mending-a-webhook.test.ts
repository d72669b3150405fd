import { beforeAll, describe, expect, it } from 'vitest';
import { visits } from '../support/console/visit.ts';
import { registerWebhook } from '../support/console/webhook-under-test.ts';
import { startReceiver } from '../support/receiver/journey-receiver.ts';
import type { MisbehavingReceiver } from '../support/receiver/misbehaving-receiver.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const browser = visits();

let receiver: MisbehavingReceiver;
beforeAll(async () => {
  receiver = await startReceiver();
  return () => receiver.retire();
});

describe('a webhook whose endpoint fails', () => {
  it('says what went wrong and what to do, and recovers by a retry', async () => {
    const webhook = await registerWebhook(receiver);
    webhook.behave(answer(503, { body: 'deploying' }));
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);
    const event = await webhook.happen();

    await page.getByText('Your endpoint answered 503 (Service Unavailable)').waitFor();
    await page.getByText('Your server is down, overloaded or being deployed.').first().waitFor();
    await page.getByText(/1 event waits/).waitFor();
    await page.getByRole('link', { name: event.id }).click();
    await page.getByText('deploying').waitFor();
    await look('webhook-failed');

    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText(/^Not yet: your endpoint answered 503/).waitFor();
    webhook.behave(answer(200));
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('Everything that waits is being sent.').waitFor();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByText('Delivered 200').first().waitFor();
  });

  it('recovers all that was not delivered since an instant that the admin chooses', async () => {
    const webhook = await registerWebhook(receiver);
    webhook.behave(answer(401));
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);
    const events = [await webhook.happen(), await webhook.happen()];

    await page.getByText('Your endpoint answered 401 (Unauthorized)').waitFor();
    await page.getByRole('tab', { name: /^Waiting/ }).click();
    for (const { id } of events) await page.getByRole('link', { name: id }).waitFor();
    await look('webhook-waiting');
    webhook.behave(answer(200));
    await page.getByRole('button', { name: 'Recover all' }).click();
    await page.getByLabel('Of the last 24 hours').check();
    await look('recover-dialog');
    await page.getByRole('button', { name: 'Recover', exact: true }).click();

    await page.getByText('The recovery has begun').waitFor();
    await page.getByText('Nothing waits').waitFor();
    for (const { id } of events) {
      await receiver.requests.where(({ body }) => body.includes(id));
    }
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await expect.poll(() => page.getByText('Delivered 200').count()).toBe(events.length);
  });

  it('gets one delivery again when the admin sends it again', async () => {
    const webhook = await registerWebhook(receiver);
    const event = await webhook.happen();
    const { page, signIn } = await browser.begin();
    await signIn('admin', webhook.path);
    await page.getByRole('link', { name: event.id }).click();
    await page.getByText(/^Attempt 1/).waitFor();

    await page.getByRole('button', { name: 'Send again' }).click();

    await page.getByText('Attempt 2 · Sent by hand').waitFor();
    const path = new URL(webhook.url).pathname;
    expect(receiver.requests.all.filter((request) => request.path === path)).toHaveLength(2);
  });
});

describe('a test', () => {
  it('shows the exact headers and body, and what came back', async () => {
    const webhook = await registerWebhook(receiver);
    webhook.behave(answer(403, { body: 'no bots here' }));
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);

    await page.getByRole('button', { name: 'Send test' }).first().click();

    await page.getByText(/^Your endpoint answered 403 \(Forbidden\) in/).waitFor();
    await page.getByText('no bots here').waitFor();
    const sent = await receiver.requests.where(
      ({ path }) => path === new URL(webhook.url).pathname,
    );
    await page.getByText(sent.headers['x-service-signature'] ?? '').waitFor();
    await page.getByText(sent.headers['webhook-signature'] ?? '').waitFor();
    await look('test');
  });
});
