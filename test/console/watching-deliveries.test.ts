import { describe, expect, it } from 'vitest';
import { visits } from '../support/console/visit.ts';
import { endpoints } from '../support/console/webhook-under-test.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const browser = visits();
const endpoint = endpoints();

describe('the deliveries of a webhook', () => {
  it('appear while the page is open, newest first', async () => {
    const webhook = await endpoint.register();
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);
    await page.getByText('No deliveries yet').waitFor();

    const first = await webhook.happen();
    await page.getByRole('link', { name: first.id }).waitFor();
    const second = await webhook.happen({ type: 'message.delivered' });
    await page.getByRole('link', { name: second.id }).waitFor();

    const rows = await page.locator('tr[data-event]').all();
    const events = await Promise.all(rows.map((row) => row.getAttribute('data-event')));
    expect(events).toEqual([second.id, first.id]);
    // For longer than new rows are marked.
    await page.evaluate(
      `document.querySelectorAll('tr[data-event]').forEach(row => row.classList.add('is-new'))`,
    );
    await look('deliveries-new');
  });

  it('are opened and closed by the keyboard, and the focus follows', async () => {
    const webhook = await endpoint.register();
    const { page, signIn } = await browser.begin();
    await signIn('admin', webhook.path.replace(/\/[^/]+$/, ''));
    await page.getByRole('link', { name: webhook.address }).press('Enter');
    await page.getByText('No deliveries yet').waitFor();
    await page.locator(':focus').first().waitFor();

    const { id } = await webhook.happen();
    const row = page.getByRole('link', { name: id });
    await row.press('Enter');
    await page.locator('.panel-start:focus').waitFor();

    await page.keyboard.press('Escape');
    await page.locator('.panel-start').waitFor({ state: 'hidden' });
    await row.and(page.locator(':focus')).waitFor();
  });

  it('are filtered by the address, and found by the id at the receiver', async () => {
    const webhook = await endpoint.register();
    webhook.behave(answer(204), answer(500));
    const delivered = await webhook.happen();
    await endpoint.requests.where(({ body }) => body.includes(delivered.id));
    const failed = await webhook.happen({ type: 'message.delivered' });
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `${webhook.path}?outcome=fatal`);

    const failedRow = page.getByRole('link', { name: failed.id });
    const deliveredRow = page.getByRole('link', { name: delivered.id });
    await failedRow.waitFor();
    expect(await deliveredRow.count()).toBe(0);
    const choose = async (outcome: string) => {
      await page.getByRole('button', { name: /^Outcome/ }).click();
      await page.getByRole('option', { name: outcome, exact: true }).click();
    };
    await choose('Delivered');
    await deliveredRow.waitFor();
    await expect.poll(() => failedRow.count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('outcome')).toBe('delivered');

    await page.goBack();
    await failedRow.waitFor();
    await choose('Not delivered');
    await page.waitForURL(/outcome=undelivered/);
    await failedRow.waitFor();
    expect(await deliveredRow.count()).toBe(0);

    const field = page.getByRole('searchbox', { name: 'Event, message, contact or call id' });
    await field.fill(`${webhook.id}/deliveries/${delivered.id}`);
    await field.press('Enter');
    await expect.poll(() => failedRow.count()).toBe(0);
    await deliveredRow.click();
    await page.getByRole('heading', { name: 'What was sent' }).waitFor();
    await page.getByText('The answer had no body.').waitFor();
    await page.getByRole('button', { name: 'Copy as cURL' }).waitFor();
    await look('delivery');

    await page.goto(`${page.url().split('?')[0]}?event=evt_nobody-knows`);
    await page.getByText('No delivery of evt_nobody-knows').waitFor();
    await look('delivery-missing');
  });

  it('are found by the id of the message that they are about', async () => {
    const webhook = await endpoint.register();
    const about = (id: string) => webhook.happen({ data: { message: { id, body: 'Hello' } } });
    const wanted = await about('msg_wanted');
    const other = await about('msg_other');
    for (const event of [wanted, other]) {
      await endpoint.requests.where(({ body }) => body.includes(event.id));
    }
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);
    const wantedRow = page.getByRole('link', { name: wanted.id });
    const otherRow = page.getByRole('link', { name: other.id });
    await otherRow.waitFor();

    const field = page.getByRole('searchbox', { name: 'Event, message, contact or call id' });
    await field.fill('x'.repeat(129));
    await page.keyboard.press('Enter');
    await page.getByText('An id has at most 128 characters.').waitFor();
    await look('deliveries-id-refused');
    await field.fill(' msg_wanted ');
    await page.keyboard.press('Enter');
    await expect.poll(() => otherRow.count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('about')).toBe('msg_wanted');
    // The index is a moment late.
    await expect
      .poll(async () => {
        const again = page.getByRole('button', { name: 'Search again' });
        if (await again.isEnabled({ timeout: 500 }).catch(() => false)) await again.click();
        return wantedRow.count();
      })
      .toBe(1);
    await look('deliveries-about');

    await field.fill('msg_nobody-knows');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing found for msg_nobody-knows').waitFor();
    await page.getByText('This webhook is not subscribed to message.failed').waitFor();
    await look('deliveries-about-none');

    await page.getByRole('button', { name: 'Clear filters' }).click();
    await otherRow.waitFor();
    expect(await field.inputValue()).toBe('');
  });

  it('show a hostile body and a hostile answer as text', async () => {
    const webhook = await endpoint.register();
    const markup = '<img src=x onerror=document.title=1><script>document.title=1</script>';
    const answered = `${markup}\u0000\u202e${'\u05d0'.repeat(40)}`;
    webhook.behave(answer(500, { body: answered }));
    const said = `${markup} invoice\u202egpj.exe ${'x'.repeat(200_000)} end-of-body`;
    const event = await webhook.happen({ data: { message: { id: 'msg_1', body: said } } });
    await endpoint.requests.where(({ path }) => webhook.url.endsWith(path));
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', webhook.path);
    await page.getByRole('link', { name: event.id }).click();

    const body = page.getByRole('region', { name: 'Body' });
    const isShown = async (text: string) => (await body.textContent())?.includes(text);
    await body.waitFor();
    expect(await isShown(markup)).toBe(true);
    expect(await isShown('invoice[U+202E]gpj.exe')).toBe(true);
    const answerText = page.getByRole('region', { name: /^Answer to attempt/ });
    expect(await answerText.textContent()).toContain(`${markup}␀[U+202E]`);
    expect(await page.locator('img[src=x], .foreign-text script').count()).toBe(0);
    await look('delivery-hostile');

    expect(await isShown('end-of-body')).toBe(false);
    await page.getByRole('button', { name: /^Show all/ }).click();
    await expect.poll(() => isShown('end-of-body')).toBe(true);
    expect(await page.title()).toContain(webhook.address);
  });
});
