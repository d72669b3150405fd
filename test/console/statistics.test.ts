import { describe, expect, it } from 'vitest';
import { visits } from '../support/console/visit.ts';
import { endpoints, platform } from '../support/console/webhook-under-test.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const browser = visits();
const endpoint = endpoints();

/** One event delivered, one refused, and three that wait. */
const failedWebhook = async () => {
  const webhook = await endpoint.register();
  webhook.behave(answer(204), answer(500));
  const delivered = await webhook.happen();
  await endpoint.requests.where(({ body }) => body.includes(delivered.id));
  const failed = await webhook.happen();
  await endpoint.requests.where(({ body }) => body.includes(failed.id));
  const status = async () => (await platform().call('GET', webhook.id)).document.status;
  await expect.poll(status).toBe('failed');
  const waiting = [await webhook.happen(), await webhook.happen(), await webhook.happen()];
  const statistics = async () =>
    (await platform().call('GET', `${webhook.id}/statistics`)).document;
  await expect.poll(statistics).toMatchObject({
    last24Hours: { delivered: 1, fatal: 1, deliveredEvents: 1 },
    pendingEvents: 4,
  });
  return { webhook, failed, waiting };
};

describe('the statistics of a webhook', () => {
  it('count events and attempts apart, and have the values of each hour', async () => {
    const { webhook } = await failedWebhook();
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);

    const statistics = page.getByRole('region', { name: 'Statistics' });
    await statistics.getByText('Events delivered').waitFor();
    expect(await statistics.locator('dd').allTextContents()).toEqual([
      '1',
      '2',
      expect.stringMatching(/ m?s$/),
    ]);
    expect(await statistics.locator('.chart-line').allTextContents()).toEqual(['0', '1', '2']);
    const times = await statistics.locator('.chart-time').allTextContents();
    expect(times.filter((text) => text !== '')).toHaveLength(4);

    const bars = statistics.getByRole('group').getByRole('button');
    const values = statistics.locator('.chart-tip');
    await bars.last().hover();
    expect(await values.textContent()).toMatch(/Delivered 1.*Failed 1.*Events delivered 1/);
    await look('webhook-statistics');
    await page.mouse.move(0, 0);
    await values.waitFor({ state: 'hidden' });
    await bars.last().focus();
    await page.keyboard.press('ArrowLeft');
    expect(await values.textContent()).toMatch(/Delivered 0.*Failed 0.*Events delivered 0/);

    await page.goto(page.url().replace(/\/[^/]+$/, ''));
    const row = page.getByRole('row', { name: webhook.address });
    await row.getByText('1 event delivered').waitFor();
    await row.getByText(/^1 attempt failed, latest (now|. minutes? ago)$/).waitFor();
    await row.getByText('4 events waiting').waitFor();
  });
});

describe('a webhook whose filter keeps events back', () => {
  it('has their number, and names the filter where deliveries are missing', async () => {
    const url = endpoint.newUrl();
    const filter = { message: { to: ['another'] } };
    const webhook = endpoint.webhookAt(url, (await platform().register(url, { filter })).id);
    await webhook.happen();
    const statistics = async () =>
      (await platform().call('GET', `${webhook.id}/statistics`)).document;
    await expect.poll(statistics).toMatchObject({ last24Hours: { filteredEvents: 1 } });
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);

    const figures = page.getByRole('region', { name: 'Statistics' }).locator('.figures > div');
    await figures.filter({ hasText: /^Kept back by the filter1$/ }).waitFor();
    await page.getByText('No deliveries yet').waitFor();
    await page.getByText('This webhook has a filter, which keeps back').waitFor();
    await look('webhook-filtered');

    await page.goto(page.url().replace(/\/[^/]+$/, ''));
    const row = page.getByRole('row', { name: webhook.address });
    await row.getByText('1 event kept back by the filter').waitFor();
  });
});

describe('the deliveries of a failed webhook', () => {
  it('have one row for the events that wait', async () => {
    const { webhook, failed, waiting } = await failedWebhook();
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);

    await page.getByRole('link', { name: failed.id }).waitFor();
    const run = page.getByRole('button', { name: '3 events waiting' });
    const rows = page.getByRole('link', { name: waiting[0]?.id ?? '' });
    await run.waitFor();
    await run.scrollIntoViewIfNeeded();
    expect(await rows.count()).toBe(0);
    await look('deliveries-waiting');

    await run.press('Enter');
    await rows.waitFor();
  });
});
