import { describe, expect, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';
import { endpoints, platform } from '../support/console/webhook-under-test.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const { account } = inject('service');
const browser = visits();
const endpoint = endpoints();

const failedOnes = async (): Promise<number> => {
  const { document } = await platform().call('GET', `/${account}/integrations?limit=100`);
  return (document.member as { status: string }[]).filter(({ status }) => status === 'failed')
    .length;
};

describe('the navigation', () => {
  it.each(['admin', 'member'] as const)(
    'shows the %s on each page how many webhooks failed, by one read',
    async (role) => {
      const webhook = await endpoint.register();
      webhook.behave(answer(500));
      const before = await failedOnes();
      await webhook.happen();
      await expect.poll(failedOnes).toBe(before + 1);
      const { page, signIn, look } = await browser.begin();
      let reads = 0;
      page.on('request', (request) => {
        const isRead = request.method() === 'GET';
        if (isRead && request.url().includes(`/${account}/integrations?`)) reads += 1;
      });
      await signIn(role);

      await page.waitForURL('**/accounts');
      const link = page.getByRole('link', { name: `Webhooks, ${before + 1} failed`, exact: true });
      await link.waitFor();
      for (const name of ['Event catalogue', 'Accounts']) {
        await page.getByRole('link', { name, exact: true }).first().click();
        await page.getByRole('heading', { name, exact: true }).waitFor();
        await link.waitFor();
      }
      expect(reads).toBe(1);
      await look('navigation-with-failed');

      await link.click();
      await page.getByRole('link', { name: webhook.address }).click();
      webhook.behave(answer(200));
      await platform().call('POST', `${webhook.id}/retry`);
      await page
        .getByRole('link', { name: before === 0 ? 'Webhooks' : `Webhooks, ${before} failed` })
        .waitFor();
    },
  );

  it('covers the page of a phone, with a heading and a way back', async () => {
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', '/event-types');
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('heading', { name: 'Navigation' }).waitFor();
    await look('navigation', [390]);

    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Open navigation' }).click();
    await page.getByRole('button', { name: 'Close navigation' }).click();
    await page.getByRole('heading', { name: 'Event catalogue' }).waitFor();
  });
});
