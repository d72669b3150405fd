import { createHmac } from 'node:crypto';
import { describe, expect, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';
import { endpoints, platform } from '../support/console/webhook-under-test.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const browser = visits();
const endpoint = endpoints();

describe('an admin', () => {
  it('rotates the secret, which signs once it is switched', async () => {
    const webhook = await endpoint.register();
    const current = 'a secret of the tests';
    await platform().call('PATCH', webhook.id, {
      body: { config: { webhookSecret: current } },
    });
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `${webhook.path}?tab=settings`);

    await page.getByRole('button', { name: 'Rotate secret' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: /^Rotate/ }).click();
    const secret = dialog.getByText(/^whsec_/);
    await secret.waitFor();
    await look('rotated-secret');
    const newSecret = (await secret.textContent()) ?? '';
    await dialog.getByRole('button', { name: 'I have stored the secret' }).click();
    const isSignedWithNew = async () => {
      const event = await webhook.happen();
      const request = await endpoint.requests.where(({ body }) =>
        body.includes(`${webhook.id}/deliveries/${event.id}"`),
      );
      const signature = createHmac('sha256', newSecret).update(request.body).digest('hex');
      return request.headers['x-service-signature'] === signature;
    };
    await page.getByText('A new secret is prepared').waitFor();
    await look('rotation-prepared');
    expect(await isSignedWithNew()).toBe(false);

    await page.getByRole('button', { name: 'Switch to the new secret' }).click();
    const named = dialog.getByLabel('New signing secret');
    await named.fill(current);
    await dialog.getByRole('button', { name: /^Switch/ }).click();
    await dialog
      .getByText('Must be the prepared secret: this is the current secret.', { exact: true })
      .waitFor();
    await named.fill(newSecret);
    await look('switch-dialog');
    await dialog.getByRole('button', { name: /^Switch/ }).click();
    await page.getByText('The new secret signs now. The old secret also signs').waitFor();
    await page.getByText(/The previous secret still signs/).waitFor();
    await look('webhook-settings');
    expect(await isSignedWithNew()).toBe(true);
  });

  it('names a webhook and sets a header, whose value is not shown again', async () => {
    const webhook = await endpoint.register();
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `${webhook.path}?tab=settings`);
    const save = page.getByRole('button', { name: 'Save' });

    await page.getByLabel(/^Description/).fill('Orders, console');
    await page.getByRole('button', { name: 'Add header' }).click();
    const name = page.getByRole('textbox', { name: 'Your own headers Name' });
    await name.fill('X-Api-Key:');
    await page.locator('input[type=password]').fill('key of the console');
    await save.click();
    await page
      .getByText(/must have a name of 1 to 64 letters/i)
      .first()
      .waitFor();
    await look('header-refused');
    await name.fill('X-Api-Key');
    await save.click();
    await page.getByText('The settings are saved.').waitFor();
    await page.getByRole('heading', { name: 'Orders, console' }).waitFor();
    await page.getByPlaceholder('Stored. Type a value to replace it.').waitFor();
    await look('header-stored');

    const event = await webhook.happen();
    const request = await endpoint.requests.where(({ body }) =>
      body.includes(`${webhook.id}/deliveries/${event.id}"`),
    );
    expect(request.headers['x-api-key']).toBe('key of the console');
    await page.goto(new URL(`${webhook.path}?event=${event.id}`, page.url()).href);
    await page.getByText('[FILTERED]').waitFor();
    expect(await page.content()).not.toContain('key of the console');
  });

  it('deactivates a webhook and activates it again', async () => {
    const webhook = await endpoint.register();
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `${webhook.path}?tab=settings`);
    const dialog = page.getByRole('dialog');

    await page.getByRole('button', { name: 'Deactivate' }).click();
    await dialog.getByText(/someone activates it again are lost/).waitFor();
    const guide = dialog.getByRole('link', { name: 'Take your endpoint down for an hour' });
    expect(await guide.getAttribute('href')).toBe(
      `${inject('service').api}/guides/recover#take-your-endpoint-down-for-an-hour`,
    );
    await look('deactivate-dialog');
    const keep = page.getByRole('radio', { name: 'Keep new events' });
    await keep.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Deactivate' }).click();
    expect(await keep.isChecked()).toBe(false);
    await keep.click();
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('This webhook is inactive').waitFor();
    await page.getByText('New events are stored').waitFor();
    await page.getByRole('radio', { name: 'Discard new events' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('neither sent nor stored').waitFor();
    await look('webhook-inactive');
    await page.getByRole('button', { name: 'Activate' }).click();
    await dialog.getByRole('button', { name: 'Activate' }).click();

    await page.getByText('This webhook is inactive').waitFor({ state: 'detached' });
    const { document } = await platform().call('GET', webhook.id);
    expect(document.status).toBe('active');
  });

  it('sees that a webhook was deleted elsewhere', async () => {
    const webhook = await endpoint.register();
    const { page, signIn } = await browser.begin();
    await signIn('admin', webhook.path);
    await page.getByText('No deliveries yet').waitFor();
    await platform().call('DELETE', webhook.id);
    await page.getByText('This webhook does not exist').waitFor();
    await page.getByRole('link', { name: 'Activity of this webhook' }).waitFor();
  });

  it('deletes a webhook only after typing the word', async () => {
    const webhook = await endpoint.register();
    webhook.behave(answer(500));
    await webhook.happen();
    const pending = async () =>
      (await platform().call('GET', `${webhook.id}/statistics`)).document.pendingEvents;
    await expect.poll(pending).toBe(1);
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `${webhook.path}?tab=settings`);
    const dialog = page.getByRole('dialog');

    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    const confirm = dialog.getByRole('button', { name: 'Delete', exact: true });
    expect(await confirm.isDisabled()).toBe(true);
    await dialog.getByText('1 waiting event is deleted.').waitFor();
    await look('delete-dialog');
    await dialog.getByRole('textbox').fill('delete');
    await confirm.click();

    await page.getByText(`The webhook ${webhook.address} is deleted.`).waitFor();
    expect((await platform().call('GET', webhook.id)).status).toBe(404);
    await page.goto(new URL(webhook.path, page.url()).href);
    await page.getByText('This webhook does not exist').waitFor();
    await look('webhook-missing');
  });
});
