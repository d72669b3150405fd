import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';
import { endpoints } from '../support/console/webhook-under-test.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const { account } = inject('service');
const browser = visits();
const endpoint = endpoints();

const reason = (page: Page) =>
  page
    .getByText(/You are a member of/)
    .filter({ visible: true })
    .first();

describe('a member', () => {
  it('sees what went wrong, and is told why nothing can be changed', async () => {
    const webhook = await endpoint.register();
    webhook.behave(answer(500));
    await webhook.happen();
    const { page, signIn, look } = await browser.begin();
    await signIn('member', webhook.path);

    await page.getByText('Your endpoint answered 500').waitFor();
    for (const name of ['Retry now', 'Recover all', 'Send test']) {
      const button = page.getByRole('button', { name }).first();
      expect(await button.getAttribute('aria-disabled')).toBe('true');
    }
    await look('member-webhook');
    await page.getByRole('button', { name: 'Retry now' }).hover();
    await reason(page).waitFor();

    await page.getByRole('tab', { name: 'Settings' }).click();
    const rotate = page.getByRole('button', { name: 'Rotate secret' });
    await rotate.waitFor();
    await look('member-settings');
    await rotate.hover();
    await reason(page).waitFor();
  });

  it('cannot add a webhook', async () => {
    const { page, signIn, look } = await browser.begin();
    await signIn('member', `/accounts/${account}/settings/integrations`);
    const add = page.getByRole('button', { name: 'Add Webhook' }).first();
    await add.waitFor();
    expect(await add.getAttribute('aria-disabled')).toBe('true');
    await look('member-integrations');
  });
});
