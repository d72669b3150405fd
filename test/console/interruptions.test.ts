import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { enterPassword, visits } from '../support/console/visit.ts';
import { endpoints } from '../support/console/webhook-under-test.ts';

const { account, api } = inject('service');
const browser = visits();
const endpoint = endpoints();

const expireSignIn = async (page: Page): Promise<void> => {
  await page.context().clearCookies();
  // The provider knows the refresh token no more.
  await page.route('**/oidc/token', (route) =>
    route.fulfill({ status: 400, json: { error: 'invalid_grant' } }),
  );
  await page.route(
    (url) => url.origin === new URL(api).origin,
    (route) =>
      route.fulfill({
        status: 401,
        headers: {
          'Access-Control-Allow-Origin': new URL(page.url()).origin,
          'Content-Type': 'application/problem+json',
        },
        body: JSON.stringify({ type: '/problems/unauthorized', status: 401 }),
      }),
  );
};

describe('what was typed', () => {
  it('is still there after the sign-in expired, and is saved', async () => {
    const { context, page, signIn, look } = await browser.begin();
    const url = endpoint.newUrl();
    await signIn('admin', `/accounts/${account}/settings/integrations/new`);
    await page.getByLabel('Endpoint URL').fill(url);

    await expireSignIn(page);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your sign-in has expired').waitFor();
    await look('expired');
    await page.unrouteAll({ behavior: 'wait' });
    const [window] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('button', { name: 'Sign in again' }).click(),
    ]);
    await enterPassword(window, 'admin');

    await page.getByText('Your sign-in has expired').waitFor({ state: 'hidden' });
    await page.getByText(/^whsec_/).waitFor();
  });

  it('is still there after the connection was lost', async () => {
    const { page, context, signIn, look } = await browser.begin();
    const url = endpoint.newUrl();
    await signIn('admin', `/accounts/${account}/settings/integrations/new`);
    await page.getByLabel('Endpoint URL').fill(url);

    await context.setOffline(true);
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByText(/cannot be reached/)
      .first()
      .waitFor();
    await look('cut-off');
    await context.setOffline(false);
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByText(/^whsec_/).waitFor();
  });
});

describe('signing out', () => {
  it('ends at a page that leads back, and the next one needs the password', async () => {
    const { page, signIn, look } = await browser.begin();
    await signIn('admin');

    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('**/signed-out*');
    await page.getByRole('button').first().waitFor();
    await look('signed-out');
    await page.goto(new URL('/', page.url()).href);

    await page.getByLabel('Password').waitFor();
    await look('sign-in');
  });
});

describe('a webhook’s page', () => {
  it('goes on by itself after the connection was lost', async () => {
    const webhook = await endpoint.register();
    const { page, context, signIn } = await browser.begin();
    await signIn('admin', webhook.path);
    await page.getByText('No deliveries yet').waitFor();

    await context.setOffline(true);
    await page
      .getByText(/cannot be reached/)
      .first()
      .waitFor();
    const event = await webhook.happen();
    await endpoint.requests.where(({ body }) => body.includes(event.id));
    await context.setOffline(false);

    await page.getByRole('link', { name: event.id }).waitFor();
    await expect.poll(() => page.getByText(/cannot be reached/).count()).toBe(0);
  });
});
