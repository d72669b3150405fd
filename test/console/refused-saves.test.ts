import type { Locator, Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';
import { endpoints, platform } from '../support/console/webhook-under-test.ts';

const { account, api } = inject('service');
const browser = visits();
const endpoint = endpoints();

const LAPTOP = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 600 };

/** What runs in the browser is text here: the tests know nothing of its globals. */
const IS_SEEN = new Function(
  'element',
  `const { left, top, width, height } = element.getBoundingClientRect();
  const found = document.elementFromPoint(left + Math.min(width / 2, 40), top + height / 2);
  return found !== null && (element.contains(found) || found.contains(element));`,
) as (element: unknown) => boolean;

/** Whether the text is in the window and under no bar. */
const isSeen = (text: Locator): Promise<boolean> => text.evaluate(IS_SEEN);

const addHeader = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('button', { name: 'Add header' }).click();
  await page.getByRole('textbox', { name: 'Your own headers Name' }).last().fill(name);
};

const openHeaders = async (page: Page): Promise<void> => {
  const section = page.getByRole('button', { name: /^Headers/ });
  if ((await section.count()) > 0) await section.click();
};

const refuse = (page: Page, status: number, problem: object): Promise<unknown> =>
  page.route(
    ({ origin }) => origin === new URL(api).origin,
    (route) =>
      ['POST', 'PATCH'].includes(route.request().method())
        ? route.fulfill({
            status,
            headers: { 'Access-Control-Allow-Origin': new URL(page.url()).origin },
            json: problem,
          })
        : route.continue(),
  );

interface Refusal {
  readonly what: string;
  readonly prepare: (page: Page) => Promise<unknown>;
  readonly error: string | RegExp;
  readonly isOfField: boolean;
}

const REFUSALS: readonly Refusal[] = [
  {
    what: 'an address',
    prepare: (page) => page.getByLabel('Endpoint URL').fill('http://hooks.example.com'),
    error: 'Must be an https:// URL.',
    isOfField: true,
  },
  {
    what: 'a description',
    prepare: (page) => page.getByLabel(/^Description/).fill('x'.repeat(121)),
    error: /at most 120 characters/,
    isOfField: true,
  },
  {
    what: 'a header',
    prepare: async (page) => {
      await openHeaders(page);
      await addHeader(page, 'X-Api-Key:');
    },
    error: /must have a name of 1 to 64 letters/i,
    isOfField: true,
  },
  {
    what: 'two headers with one name',
    prepare: async (page) => {
      await openHeaders(page);
      await addHeader(page, 'X-Api-Key');
      await addHeader(page, 'X-Api-Key');
    },
    error: 'Two headers have the name X-Api-Key.',
    isOfField: true,
  },
  {
    what: 'a field that the form has not',
    prepare: (page) =>
      refuse(page, 422, {
        type: '/problems/validation',
        errors: [{ pointer: '/provider', detail: 'must be webhook' }],
      }),
    error: '/provider must be webhook.',
    isOfField: false,
  },
  {
    what: 'a call that the service could not serve',
    prepare: (page) => refuse(page, 500, { type: '/problems/internal', detail: 'It broke.' }),
    error: 'It broke.',
    isOfField: false,
  },
];

const FORMS = {
  'a new webhook': async () => `/accounts/${account}/settings/integrations/new`,
  'the settings': async () => `${(await endpoint.register()).path}?tab=settings`,
} as const;

const CASES = Object.entries(FORMS).flatMap(([form, pathOf]) =>
  REFUSALS.map((refusal) => ({ form, pathOf, ...refusal })),
);

describe('a refused save', () => {
  it.each(CASES)('of $form shows $what where one looks', async (refused) => {
    const { page, signIn } = await browser.begin();
    await signIn('admin', await refused.pathOf());
    await page.getByText('More events').waitFor();
    await page.getByLabel('Endpoint URL').fill(endpoint.newUrl());
    await refused.prepare(page);
    for (const size of [LAPTOP, PHONE]) {
      await page.setViewportSize(size);
      const save = page.getByRole('button', { name: 'Save' });
      await save.scrollIntoViewIfNeeded();
      await save.click();

      const error = page.getByText(refused.error).first();
      await expect.poll(() => isSeen(error), { message: `${size.width}` }).toBe(true);
      const isFocused = page.evaluate(`document.activeElement.ariaInvalid === 'true'`);
      expect(await isFocused).toBe(refused.isOfField);
      const besideSave = page.getByRole('alert').getByText(refused.error);
      await save.scrollIntoViewIfNeeded();
      expect(await isSeen(besideSave)).toBe(true);
    }
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('settings that were changed meanwhile', () => {
  const conflict = async () => {
    const webhook = await endpoint.register();
    const visit = await browser.begin();
    const { page, signIn } = visit;
    await signIn('admin', `${webhook.path}?tab=settings`);
    await page.getByText('More events').waitFor();
    await page.getByLabel('Continue with the other events').check();
    await platform().call('PATCH', webhook.id, {
      body: { description: 'Of a colleague', settings: { actions: { 'contact.created': true } } },
    });
    await page.getByRole('button', { name: 'Save' }).click();
    const told = page.getByText(
      /^This webhook was changed at .*, after you began to edit: Description, contact.created\.$/,
    );
    await expect.poll(() => isSeen(told)).toBe(true);
    return { ...visit, webhook };
  };

  it('are kept, and so is what was typed, with Keep mine', async () => {
    const { page, look, webhook } = await conflict();
    await look('settings-changed-meanwhile');
    await page.getByRole('button', { name: 'Keep mine' }).click();

    await page.getByText('The settings are saved.').waitFor();
    const { document } = await platform().call('GET', webhook.id);
    expect(document).toMatchObject({
      description: 'Of a colleague',
      settings: { onFatalError: 'continue', actions: { 'contact.created': true } },
    });
  });

  it('replace what was typed if one loads them', async () => {
    const { page } = await conflict();
    await page.getByRole('button', { name: 'Load the current settings' }).click();

    expect(await page.getByLabel(/^Description/).inputValue()).toBe('Of a colleague');
    expect(await page.getByLabel('Pause', { exact: true }).isChecked()).toBe(true);
    await page.getByText('after you began to edit').waitFor({ state: 'hidden' });
  });

  it('do not stand in the way of a second try to deactivate', async () => {
    const webhook = await endpoint.register();
    const { page, signIn } = await browser.begin();
    await signIn('admin', `${webhook.path}?tab=settings`);
    await page.getByRole('button', { name: 'Deactivate' }).click();
    await platform().call('PATCH', webhook.id, { body: { description: 'Of a colleague' } });
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Deactivate' }).click();

    await dialog.getByText('This webhook was changed after this page read it.').waitFor();
    await dialog.getByRole('button', { name: 'Deactivate' }).click();
    await page.getByText('This webhook is inactive').waitFor();
  });
});
