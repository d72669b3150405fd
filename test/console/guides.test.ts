import { describe, expect, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';

const { api } = inject('service');
const browser = visits();

const PAGES = [
  ['home', '/'],
  ['guides', '/guides'],
  ['guide', '/guides/recover'],
  ['receiver', '/guides/receivers/express'],
  ['reasons', '/reasons'],
  ['problem', '/problems/validation'],
] as const;

describe('the pages for integrators', () => {
  it.each(PAGES)('are for everyone in light, dark and narrow: %s', async (state, path) => {
    const { page, look } = await browser.begin();
    await page.goto(api + path);
    await page.getByRole('navigation').getByText('Recover after an outage').waitFor();
    await look(`page-${state}`, [1280, 768, 390, 320]);
  });

  it('have a button that copies their code', async () => {
    const { page, context } = await browser.begin();
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: api });
    await page.goto(`${api}/guides/receivers/express`);
    const code = page.locator('pre code').first();
    await page.getByRole('button', { name: 'Copy' }).first().click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toBe(await code.textContent());
    expect(copied).toContain('tar xf express.tar');
  });

  it('lead to one another, and to the calls, in one frame', async () => {
    const { page } = await browser.begin();
    await page.goto(`${api}/guides`);
    const pages = page.getByRole('navigation', { name: 'All pages' });
    await pages.getByRole('link', { name: 'API reference' }).click();
    await page.getByText('Create an integration').first().waitFor();
    await pages.getByRole('link', { name: 'Answer first, work later' }).click();
    await page.getByRole('heading', { name: 'Answer first, work later' }).waitFor();
  });
});
