import { globSync } from 'node:fs';
import { extname, join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import type { Brand } from '../../packages/console/serving/brand.ts';
import { buildConsole } from '../../packages/console/serving/built-console.ts';
import { visits } from '../support/console/visit.ts';

const { account, console: origin = '' } = inject('service');
const browser = visits();

/** Wide, so that a page shows it in its own proportions. */
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 20"><rect width="60" height="20" fill="#777"/></svg>';

/** A window in which script, style sheet and icon of the console are those of the brand. */
const openBranded = async (brand: Brand) => {
  const visit = await browser.begin();
  const folder = await buildConsole(brand);
  const files = ['icon.svg', ...globSync('assets/index-*', { cwd: folder })];
  await visit.page.route(/\/(?:assets\/index-.*|icon\.svg)$/, (route) => {
    const extension = extname(route.request().url());
    const [file = ''] = files.filter((name) => name.endsWith(extension));
    return route.fulfill({ path: join(folder, file) });
  });
  return visit;
};

describe('a console of another brand', () => {
  it.each<[string, Brand]>([
    ['brand-light', { name: 'Bell & Sons', colour: '#d8006d', logo: LOGO }],
    ['brand-dark', { name: 'Night', colour: '#101010' }],
  ])('can be read in its colour, under its name: %s', async (state, brand) => {
    const { page, signIn, look } = await openBranded(brand);
    await signIn('admin', `/accounts/${account}/settings/integrations`);
    await page.getByText('Last 24 hours').first().waitFor();
    await page.getByRole('banner').getByText(brand.name).waitFor();
    expect(await page.title()).toContain(brand.name);
    await look(`${state}-list`, [1280, 390]);
    await page.goto(`${origin}/accounts/${account}/settings/integrations/new`);
    await page.getByText('Endpoint URL').waitFor();
    await look(`${state}-form`, [1280]);
  });
});
