import type { Page } from 'playwright-core';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
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
    await page.getByRole('searchbox', { name: /^Webhook, or an event/ }).fill(webhook.address);
    const card = page.getByRole('listitem').filter({ hasText: webhook.address });
    await card.getByText('None delivered').waitFor();
    const { y, height } = (await card.boundingBox()) ?? { y: 0, height: 0 };
    expect(height).toBeGreaterThan(0);
    expect(height).toBeLessThan(180);
    // The header, the title, the field, and two lines of buttons.
    expect(y).toBeLessThan(420);
  });
});

describe('the search on the list of webhooks', () => {
  it('tells what became of a message at each webhook', async () => {
    const [first, second] = [await endpoint.register(), await endpoint.register()];
    second.behave(answer(500));
    const unresolved = await platform().register('https://nonexistent.invalid/found');
    onTestFinished(async () => void (await platform().call('DELETE', unresolved.id)));
    const subject = `msg_${Date.now()}`;
    await first.happen({ data: { message: { id: subject, body: 'Hello' } } });
    const expected = [first.id, second.id, unresolved.id];
    const found = async (): Promise<readonly string[]> => {
      const { document } = await platform().call('GET', `/${account}/deliveries?about=${subject}`);
      return (document.member as { integration: string }[]).map(({ integration }) => integration);
    };
    await expect.poll(found).toEqual(expect.arrayContaining(expected));
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `/accounts/${account}/settings/integrations`);

    const field = page.getByRole('searchbox', { name: /^Webhook, or an event/ });
    await field.fill(first.address);
    await page.getByRole('link', { name: second.address }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: first.address }).waitFor();
    await field.fill(subject);
    await field.press('Enter');
    const rows = page.getByRole('table', { name: `Deliveries about ${subject}` }).getByRole('row');
    const rowOf = (address: string) => rows.filter({ hasText: address });
    await rowOf(first.address).getByText('Delivered').waitFor();
    await rowOf(second.address).getByText('500').waitFor();
    await rowOf('nonexistent.invalid/found').getByText('the host name could not be').waitFor();
    // No line ends inside a word, however wide the column is.
    const wordBreak = `getComputedStyle(document.querySelector('.outcome-detail')).wordBreak`;
    expect(await page.evaluate(wordBreak)).toBe('normal');
    await look('webhooks-found');

    await rowOf(first.address).getByRole('link').click();
    await page.getByRole('region', { name: 'Body' }).getByText(subject).waitFor();
    await page.goBack();
    await field.fill('');
    await page.getByRole('table', { name: 'Webhooks' }).waitFor();
  });
});
