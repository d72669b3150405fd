import { describe, expect, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';

const service = inject('service');
const { account } = service;
const browser = visits();
const settings = `/accounts/${account}/settings`;

/** Paths, and a text that is there when the page has read everything. */
const PAGES = [
  ['accounts', '/accounts', 'acme-sms'],
  ['account', `/accounts/${account}`, 'Organisation'],
  ['account-settings', settings, 'Integrations'],
  ['integrations', `${settings}/integrations`, 'Last 24 hours'],
  ['activity', `${settings}/activity`, 'Kept for 400 days'],
  ['add-webhook', `${settings}/integrations/new`, 'Endpoint URL'],
  ['access-tokens', `${settings}/access-tokens`, 'admin'],
  ['users', `${settings}/users`, 'u_ada'],
  ['event-types', '/event-types', 'contact.created'],
  ['not-found', '/no/such/page', 'There is no page at this address'],
  ['account-missing', '/accounts/nobody/settings', 'This account does not exist'],
  ['two-slashes', '//event-types', 'contact.created'],
] as const;

describe('every page', () => {
  it.each(PAGES)('is for everyone in light, dark and narrow: %s', async (state, path, text) => {
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', path);
    await page.locator('#content').getByText(text).first().waitFor();
    await look(state);
  });

  it('shows its name before its style sheet and its scripts have arrived', async () => {
    const { page } = await browser.begin();
    await page.route('**/assets/**', () => undefined);
    await page.goto(service.console ?? '', { waitUntil: 'commit' });
    await page.getByRole('img', { name: 'Messaging. Loading' }).waitFor();
    const paints = () =>
      page.evaluate(`performance.getEntriesByName('first-contentful-paint').length`);
    await expect.poll(paints).toBe(1);
  });

  it('says of each member of an event what it is', async () => {
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', '/event-types');
    await page.getByRole('button', { name: 'Members of data' }).first().click();
    await page.getByText('message.direction').first().waitFor();
    await look('event-members');
  });
});
