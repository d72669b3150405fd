import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { CONTINUE_ADVICE } from '../../core/integration/integration-resource.ts';
import { visits } from '../support/console/visit.ts';
import { endpoints, platform } from '../support/console/webhook-under-test.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const { api } = inject('service');
const browser = visits();
const endpoint = endpoints();

/** Adds the advice of the API to what a read of a failed integration answers. */
const advise = (page: Page, id: string): Promise<unknown> =>
  page.route(
    ({ origin, pathname }) => origin === new URL(api).origin && pathname.endsWith(id),
    async (route) => {
      const response = await route.fetch();
      const { failure, ...document } = await response.json();
      const advised = failure && { failure: { ...failure, advice: CONTINUE_ADVICE } };
      await route.fulfill({ response, json: { ...document, ...advised } });
    },
  );

describe('a webhook whose endpoint fails', () => {
  it('says what went wrong and what to do, and recovers by a retry', async () => {
    const webhook = await endpoint.register();
    webhook.behave(answer(503, { body: 'deploying' }));
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);
    const event = await webhook.happen();

    await page.getByText('Your endpoint answered 503 (Service Unavailable)').waitFor();
    await page.getByText('Your server is down, overloaded or being deployed.').first().waitFor();
    await page.getByText(/1 event is waiting/).waitFor();
    const link = page.getByRole('link', { name: 'What this result means' }).first();
    expect(await link.getAttribute('target')).toBe('_blank');
    expect(await link.getAttribute('rel')).toContain('noopener');
    const explanation = page.waitForEvent('popup');
    await link.click();
    await (await explanation).getByRole('heading', { name: '503 Service Unavailable' }).waitFor();
    await (await explanation).close();
    await page.getByRole('link', { name: event.id }).click();
    await page.getByText('deploying').waitFor();
    await look('webhook-failed');

    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText(/^Not yet: your endpoint answered 503/).waitFor();
    webhook.behave(answer(200));
    await page.getByRole('button', { name: 'Retry now' }).click();
    await page.getByText('The waiting events are being sent.').waitFor();
    await page.getByText('Active', { exact: true }).waitFor();
    await page.getByText('Delivered 200').first().waitFor();
  });

  it('recovers what was not delivered since a chosen instant', async () => {
    const webhook = await endpoint.register();
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
    await page.getByLabel('From the last 24 hours').check();
    await look('recover-dialog');
    await page.getByRole('button', { name: 'Recover', exact: true }).click();

    await page.getByText('The recovery has begun').waitFor();
    await page.getByText('No events are waiting.').waitFor();
    for (const { id } of events) {
      await endpoint.requests.where(({ body }) => body.includes(id));
    }
    await page.getByRole('tab', { name: 'Deliveries' }).click();
    await expect.poll(() => page.getByText('Delivered 200').count()).toBe(events.length);
  });

  it('leads to the setting that continues after refused events', async () => {
    const webhook = await endpoint.register();
    webhook.behave(answer(422));
    const { page, signIn, look } = await browser.begin();
    await advise(page, webhook.id);
    await signIn('admin', webhook.path);
    await webhook.happen();

    await page.getByText(/^Your endpoint confirmed other events within 12 hours/).waitFor();
    await look('webhook-failed-for-single-events');
    const focused = page.getByLabel('Pause', { exact: true }).and(page.locator(':focus'));
    for (const _time of ['first', 'again']) {
      await page.getByRole('link', { name: 'continue with the other events' }).click();
      await focused.waitFor();
    }
    await page.getByLabel('Continue with the other events').check();
    await page.getByText('More events').waitFor();
    await look('webhook-settings-continue');
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByText('The settings are saved.').waitFor();
    const { document } = await platform().call('GET', webhook.id);
    expect(document).toMatchObject({ settings: { onFatalError: 'continue' } });
  });

  it('gets one delivery again when the admin sends it again', async () => {
    const webhook = await endpoint.register();
    const event = await webhook.happen();
    const { page, signIn } = await browser.begin();
    await signIn('admin', webhook.path);
    await page.getByRole('link', { name: event.id }).click();
    await page.getByText(/^Attempt 1/).waitFor();

    await page.getByRole('button', { name: 'Send again' }).click();

    await page.getByText('Attempt 2 · Sent by hand').waitFor();
    const path = new URL(webhook.url).pathname;
    expect(endpoint.requests.all.filter((request) => request.path === path)).toHaveLength(2);
  });
});

describe('a test', () => {
  it('shows the exact headers and body, and what came back', async () => {
    const webhook = await endpoint.register();
    webhook.behave(answer(403, { body: 'no bots here' }));
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);

    await page.getByRole('button', { name: 'Send test' }).first().click();

    await page.getByText(/^Your endpoint answered 403 \(Forbidden\) \(/).waitFor();
    await page.getByText('no bots here').waitFor();
    const sent = await endpoint.requests.where(
      ({ path }) => path === new URL(webhook.url).pathname,
    );
    await page.getByText(sent.headers['x-service-signature'] ?? '').waitFor();
    await page.getByText(sent.headers['webhook-signature'] ?? '').waitFor();
    await look('test');
  });
});
