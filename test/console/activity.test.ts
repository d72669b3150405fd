import { describe, expect, it } from 'vitest';
import { visits } from '../support/console/visit.ts';
import { endpoints, platform } from '../support/console/webhook-under-test.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const browser = visits();
const endpoint = endpoints();

describe('the activity of a webhook', () => {
  it('says why it failed, for how long, and who changed what', async () => {
    const webhook = await endpoint.register();
    webhook.behave(answer(500));
    await webhook.happen();
    const { page, signIn, look } = await browser.begin();
    await signIn('member', `${webhook.path}?tab=activity`);
    const activity = page.getByRole('table', { name: 'Activity' });

    await activity.getByText('Your endpoint answered 500 (Internal Server Error).').waitFor();
    webhook.behave(answer(200));
    const url = endpoint.newUrl();
    await platform().call('PATCH', webhook.id, {
      body: { config: { baseUrl: url }, settings: { actions: { 'contact.created': true } } },
    });
    await activity.getByText('Endpoint URL: changed').waitFor();
    await activity.getByText('contact.created: off → on').waitFor();
    await activity.getByText(/^Down for .*\. Reason: 500 Internal Server Error/).waitFor();
    await activity.getByText('The settings were changed.').waitFor();
    await activity
      .getByText(/^With token .*tok_/)
      .first()
      .waitFor();
    await look('webhook-activity');

    await page.getByRole('button', { name: /^Kind of change/ }).click();
    await page.getByRole('option', { name: 'Failed' }).click();
    await expect.poll(() => activity.getByText('Recovered').count()).toBe(0);
    await activity.getByText('Failed').waitFor();
    expect(new URL(page.url()).searchParams.get('kind')).toBe('failed');

    await page.goto(`${page.url().replace('kind=failed', 'kind=deleted')}`);
    await page.getByText('Nothing matches the filters').waitFor();
    await look('activity-empty');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await activity.getByText('Recovered').waitFor();
  });
});

describe('the activity of an account', () => {
  it('has the changes of a deleted webhook, linked from its page', async () => {
    const webhook = await endpoint.register();
    await platform().call('DELETE', webhook.id);
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);

    await page.getByRole('link', { name: 'Activity of this webhook' }).click();
    const activity = page.getByRole('table', { name: 'Activity' });
    await activity.getByText('Added').waitFor();
    const shown = `${new URL(webhook.url).origin}/…`;
    await activity.getByText(shown).first().waitFor();
    expect(await activity.getByRole('link', { name: shown }).count()).toBe(0);
    await look('activity-of-deleted');

    await page.getByRole('button', { name: /^Webhook/ }).click();
    await page.getByRole('option', { name: 'All webhooks' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.has('integration')).toBe(false);
    await activity.getByText(shown).first().waitFor();
  });
});
