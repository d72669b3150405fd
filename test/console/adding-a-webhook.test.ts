import { describe, expect, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';
import { endpoints, platform } from '../support/console/webhook-under-test.ts';

const { account } = inject('service');
const browser = visits();
const endpoint = endpoints();

describe('an organisation’s admin', () => {
  it('adds a webhook by the words of the contract, and sees events come', async () => {
    const { page, signIn, look } = await browser.begin();
    const url = endpoint.newUrl();

    await signIn('admin');
    await page.getByRole('link', { name: 'Accounts' }).first().click();
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    await page.getByRole('link', { name: /^View/ }).first().click();
    await page.getByRole('heading', { name: account, exact: true }).waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.locator('a').getByText('Account Settings', { exact: true }).click();
    await page.getByRole('link', { name: 'Integrations', exact: true }).first().click();
    await page.getByRole('heading', { name: 'Webhooks' }).waitFor();
    await page.getByRole('button', { name: 'Add Webhook' }).click();
    await page.getByLabel('Endpoint URL').waitFor();
    await page.getByLabel('Endpoint URL').fill(url);
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByText('whsec_').first().waitFor();
    await look('secret');
    await page.getByText('I have stored the secret').click();
    await page.getByRole('heading', { name: url.replace('https://', '') }).waitFor();
    await page.getByText('No deliveries yet').waitFor();
    await page.getByRole('region', { name: 'Statistics' }).waitFor({ state: 'detached' });
    await look('webhook-without-deliveries');

    const listed = await platform().call('GET', `/${account}/integrations?limit=100`);
    const added = (listed.document.member as { id: string; config: { baseUrl: string } }[]).find(
      ({ config }) => config.baseUrl === url,
    );
    expect(added).toMatchObject({
      settings: {
        actions: {
          'message.received': true,
          'message.delivered': true,
          'message.failed': false,
          'contact.created': false,
        },
      },
    });
    const { happen } = endpoint.webhookAt(url, added?.id ?? '');
    for (const type of ['message.received', 'message.delivered'] as const) {
      const event = await happen({ type });
      await page.getByRole('link', { name: `${type}, ${event.id}` }).waitFor();
    }
  });

  it('sees a field of a closed section whose value is refused', async () => {
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `/accounts/${account}/settings/integrations/new`);
    const section = page.getByRole('button', { name: /^Your own signing secret/ });
    const secret = page.getByLabel('Signing secret', { exact: true });

    await page.getByLabel('Endpoint URL').fill(endpoint.newUrl());
    await section.click();
    await secret.fill('short');
    await section.click();
    await secret.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Save' }).click();

    await secret.waitFor();
    await look('add-webhook-refused');
  });

  it('adds a webhook that continues when its endpoint refuses an event', async () => {
    const { page, signIn, look } = await browser.begin();
    const url = endpoint.newUrl();
    await signIn('admin', `/accounts/${account}/settings/integrations/new`);

    await page.getByLabel('Endpoint URL').fill(url);
    await page.getByRole('button', { name: /^Refused events/ }).click();
    const choice = page.getByRole('radiogroup', { name: 'When the endpoint refuses an event' });
    expect(await choice.getByLabel('Pause', { exact: true }).isChecked()).toBe(true);
    await choice.getByLabel('Continue with the other events').check();
    await look('add-webhook-that-continues');
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByText(/^whsec_/).waitFor();
    await page.getByText('I have stored the secret').click();
    await page.getByRole('heading', { name: url.replace('https://', '') }).waitFor();
    const { document } = await platform().call(
      'GET',
      `/integrations/${new URL(page.url()).pathname.split('/').at(-1)}`,
    );
    expect(document.settings).toMatchObject({ onFatalError: 'continue' });
  });

  it('warns of an address that does not resolve and a filter in vain', async () => {
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `/accounts/${account}/settings/integrations/new`);

    await page.getByLabel('Endpoint URL').fill('https://nonexistent.invalid/in');
    await page.getByRole('button', { name: /^Filter/ }).click();
    const filter = page.getByRole('textbox', { name: /^Filter/ });
    await filter.fill('{ “message”: {} }');
    await page.getByText('line 1, column 3 has “').waitFor();
    await filter.fill('{ "detail": { "message": { "to": ["+447700900123"] } } }');
    await page.getByText('detail is a name that no subscribed event type has').waitFor();
    await look('filter-in-vain');
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByText('Check the settings').waitFor();
    await page.getByText('Endpoint URL: Its host name could not be resolved').waitFor();
    await page.getByText('Filter: detail is a name that no subscribed event type has').waitFor();
    await look('secret-with-warning');
    await page.getByText('I have stored the secret').click();
    await page.getByRole('tab', { name: 'Settings' }).click();
    await page.getByLabel('Endpoint URL').fill('https://nonexistent.invalid/2');
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByText(/The settings are saved. .*could not be resolved/).waitFor();
    await look('saved-with-warning');
  });

  it('is told at each field what is wrong, all at once', async () => {
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `/accounts/${account}/settings/integrations/new`);

    await page.getByLabel('Endpoint URL').fill('http://hooks.example.com/in');
    await page.getByRole('button', { name: /^Your own signing secret/ }).click();
    await page.getByRole('textbox', { name: 'Signing secret' }).fill('short');
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByText('Must be an https:// URL.').first().waitFor();
    await page
      .getByText(/16 .*128/)
      .last()
      .waitFor();
    await look('add-webhook-errors');
  });
});
