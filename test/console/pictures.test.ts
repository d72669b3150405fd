import { readFile, writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { EVENT_TYPES } from '../../core/event/event-types.ts';
import { visibleWords, withWords, wordsIn } from '../support/console/picture-with-words.ts';
import { visits } from '../support/console/visit.ts';
import { endpoints, platform } from '../support/console/webhook-under-test.ts';
import { answer } from '../support/receiver/receiver-behaviours.ts';

const { api } = inject('service');
const browser = visits();
const endpoint = endpoints();

/** Shows another endpoint than that of the test. */
const rename = (page: Page, from: string, to: string): Promise<unknown> =>
  page.route(
    ({ origin }) => origin === new URL(api).origin,
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(from, to) });
    },
  );

const PICTURES = [
  ['docs/console.png', { width: 1280, height: 1240 }],
  ['docs/console-phone.png', { width: 390, height: 844 }],
] as const;

describe('the pictures of the documentation', () => {
  it('have the words that the console shows', async () => {
    const webhook = await endpoint.register();
    const actions = Object.fromEntries(EVENT_TYPES.map((type) => [type, true]));
    const settings = { description: 'Orders, production', settings: { actions } };
    await platform().call('PATCH', webhook.id, { body: settings });
    const delivered = EVENT_TYPES.slice(0, 4);
    for (const type of delivered) await webhook.happen({ type });
    const { page, signIn } = await browser.begin();
    await rename(page, webhook.url, 'https://hooks.example.com/orders');
    await signIn('admin', webhook.path);
    await expect.poll(() => page.getByText('Delivered 200').count()).toBe(delivered.length);
    webhook.behave(answer(500));
    const [refused, ...waiting] = EVENT_TYPES;
    await webhook.happen({ type: refused });
    await page.getByRole('tab', { name: 'Waiting (1)' }).waitFor();
    for (const type of waiting) await webhook.happen({ type });
    await page.getByRole('tab', { name: `Waiting (${EVENT_TYPES.length})` }).waitFor();
    await expect.poll(() => page.locator('.is-new').count()).toBe(0);

    for (const [file, size] of PICTURES) {
      await page.setViewportSize(size);
      if (process.env.PICTURES === 'write') {
        await writeFile(file, withWords(await page.screenshot(), await visibleWords(page)));
      }
      const words = wordsIn(await readFile(file));
      await expect.poll(() => visibleWords(page), { message: file }).toBe(words);
    }
    await page.unrouteAll({ behavior: 'wait' });
  });
});
