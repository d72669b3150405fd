import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';
import { endpoints, platform } from '../support/console/webhook-under-test.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const { account } = inject('service');
const browser = visits();
const endpoint = endpoints();

const choose = async (page: Page, field: RegExp, option: RegExp) => {
  await page.getByRole('button', { name: field }).click();
  await page.getByRole('option', { name: option }).click();
};

describe('the list of webhooks', () => {
  it('has trouble first, is filtered by status, and shows more rows', async () => {
    const failed = await endpoint.register();
    failed.behave(answer(500));
    await failed.happen();
    const status = async () => (await platform().call('GET', failed.id)).document.status;
    await expect.poll(status).toBe('failed');
    for (const _ of Array.from({ length: 10 })) await endpoint.register();
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `/accounts/${account}/settings/integrations`);

    const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
    await expect.poll(() => rows.count()).toBe(10);
    const trouble = page.getByRole('row', { name: failed.address });
    await trouble.getByText('1 event waiting').waitFor();
    expect(await rows.first().textContent()).toContain('Failed');
    await look('webhooks-many');

    await choose(page, /^Rows/, /^25$/);
    await expect.poll(() => rows.count()).toBeGreaterThan(10);
    await choose(page, /^Sort by/, /^Newest first$/);
    await expect.poll(() => rows.first().textContent()).not.toContain('Failed');
    await choose(page, /^Status/, /^Failed/);
    await expect.poll(async () => (await rows.allTextContents()).length).toBeLessThan(10);
    for (const text of await rows.allTextContents()) expect(text).toContain('Failed');
  });

  it('has short cards on a phone', async () => {
    const webhook = await endpoint.register();
    const { page, signIn } = await browser.begin();
    await page.setViewportSize({ width: 390, height: 844 });
    await signIn('admin', `/accounts/${account}/settings/integrations`);
    const card = page.getByRole('listitem').filter({ hasText: webhook.address });
    await card.getByText('None delivered').waitFor();
    const { height } = (await card.boundingBox()) ?? { height: 0 };
    expect(height).toBeGreaterThan(0);
    expect(height).toBeLessThan(180);
  });
});

describe('the search on the list of webhooks', () => {
  it('tells what became of a message at each webhook', async () => {
    const [first, second] = [await endpoint.register(), await endpoint.register()];
    second.behave(answer(500));
    const subject = `msg_${Date.now()}`;
    await first.happen({ data: { message: { id: subject, body: 'Hello' } } });
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `/accounts/${account}/settings/integrations`);

    const field = page.getByRole('searchbox', { name: 'Event, message, contact or call id' });
    await field.fill(subject);
    await field.press('Enter');
    const rows = page.getByRole('table', { name: `Deliveries about ${subject}` }).getByRole('row');
    const rowOf = ({ address }: { address: string }) => rows.filter({ hasText: address });
    await expect
      .poll(async () => {
        const again = page.getByRole('button', { name: 'Search again' });
        if (await again.isVisible()) await again.click();
        return rowOf(second)
          .textContent({ timeout: 1_000 })
          .catch(() => '');
      })
      .toContain('500');
    expect(await rowOf(first).textContent()).toContain('Delivered');
    await look('webhooks-found');

    await rowOf(first).getByRole('link').click();
    await page.getByRole('region', { name: 'Body' }).getByText(subject).waitFor();
    await page.goBack();
    await field.fill('');
    await page.getByRole('table', { name: 'Webhooks' }).waitFor();
  });
});
