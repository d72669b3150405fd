import { startHttpServer } from 'local-aws/http-server.ts';
import type { Page } from 'playwright-core';
import { describe, expect, inject, it } from 'vitest';
import { newConsoleLink } from '../../local/console/console-link.ts';
import { visits } from '../support/console/visit.ts';
import { endpoints } from '../support/console/webhook-under-test.ts';

const service = inject('service');
const { account, api, console: origin = '', platformPage = '' } = service;
const browser = visits();
const endpoint = endpoints();

/** As browsers that refuse storage to frames of other sites do it. */
const REFUSE_STORAGE = `
if (self !== top)
  for (const name of ['localStorage', 'sessionStorage'])
    Object.defineProperty(window, name, {
      get: () => { throw new DOMException('Refused', 'SecurityError'); },
    });`;

const frameOf = (page: Page) => page.frameLocator('iframe[title="Webhooks"]');

describe('the console in a page of the platform', () => {
  it('begins with the webhooks, has a menu and no storage, and adds a webhook', async () => {
    const { context, page, look } = await browser.begin();
    await context.addInitScript({ content: REFUSE_STORAGE });
    const frame = frameOf(page);
    const url = endpoint.newUrl();
    await page.goto(platformPage);
    await page.getByRole('button', { name: 'Sign in as Grace Hopper' }).click();
    await frame.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    expect(await frame.getByRole('link').allInnerTexts()).not.toContain('Accounts');
    await look('embedded-webhooks', [1280, 390, 320]);

    await frame.getByRole('button', { name: 'Add Webhook' }).click();
    await frame.getByLabel('Endpoint URL').fill(url);
    await frame.getByRole('button', { name: 'Save' }).click();
    await frame.getByText('I have stored the secret').click();
    await frame.getByRole('heading', { name: url.replace('https://', '') }).waitFor();
    await look('embedded-webhook', [1280, 390]);
    await frame.getByRole('link', { name: 'All webhooks' }).click();
    await frame.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    expect(await frame.getByRole('banner').count()).toBe(0);
    expect(await frame.getByRole('navigation', { name: 'Breadcrumbs' }).count()).toBe(0);
    expect(await context.cookies(origin)).toEqual([]);

    await frame.getByRole('link', { name: 'Activity' }).click();
    await frame.getByText('Grace Hopper').first().waitFor();
    await look('embedded-activity', [1280, 390]);
    await frame.getByRole('link', { name: 'Tokens' }).click();
    await frame.getByRole('heading', { name: 'Access tokens' }).waitFor();
    await frame.getByRole('link', { name: 'Settings' }).click();
    await frame.getByRole('heading', { name: 'E-mails about failures' }).waitFor();
    await look('embedded-settings', [1280, 390]);
    const guides = frame.getByRole('link', { name: 'Guides' });
    expect(await guides.getAttribute('href')).toBe(`${api}/guides`);
  });

  it.each([
    ['?theme=dark', 'light', true],
    ['?theme=light', 'dark', false],
    ['?theme=auto', 'dark', true],
  ] as const)('shows the page and the theme of a link with %s', async (query, scheme, isDark) => {
    const { page } = await browser.begin();
    await page.emulateMedia({ colorScheme: scheme });
    await page.goto(`${platformPage}/webhooks`);
    await frameOf(page).getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    const link = await newConsoleLink(service, {
      page: `/accounts/${account}/settings/activity${query}`,
    });
    await page.evaluate(`document.querySelector('iframe').src = '${link}'`);

    await frameOf(page).getByRole('heading', { name: 'Activity', exact: true }).waitFor();
    await frameOf(page).getByRole('link', { name: 'Tokens' }).click();
    await frameOf(page).getByRole('heading', { name: 'Access tokens' }).waitFor();
    const classes = (await frameOf(page).locator('body').getAttribute('class')) ?? '';
    expect(classes.includes('awsui-dark-mode')).toBe(isDark);
  });

  it.each([
    ['a reload of the page', (page: Page) => page.reload()],
    [
      'a return to the page',
      async (page: Page) => {
        await page.goto(platformPage);
        await page.goBack();
      },
    ],
  ])('is opened anew by %s', async (_, openAgain) => {
    const { page } = await browser.begin();
    const isOpen = () =>
      frameOf(page).getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
    await page.goto(`${platformPage}/webhooks`);
    await isOpen();
    await openAgain(page);
    await isOpen();
  });
});

describe('the console of a member in a page of the platform', () => {
  it('says why nothing can be changed', async () => {
    const { page, look } = await browser.begin();
    const frame = frameOf(page);
    await page.goto(`${platformPage}/webhooks`);
    await frame.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    const link = await newConsoleLink(service, { role: 'member' });
    const opened = page.waitForResponse('**/console-sessions');
    await page.evaluate(`document.querySelector('iframe').src = '${link}'`);
    await opened;

    const add = frame.getByRole('button', { name: 'Add Webhook' }).first();
    await add.hover();

    await frame
      .getByText(/You are a member of/)
      .filter({ visible: true })
      .first()
      .waitFor();
    expect(await add.getAttribute('aria-disabled')).toBe('true');
    await look('embedded-member', [1280]);
  });
});

describe('a page of a foreign origin', () => {
  it('shows nothing of the console in a frame', async () => {
    const { context } = await browser.begin();
    const foreign = await startHttpServer({
      handle: () => ({
        status: 200,
        headers: [['content-type', 'text/html']],
        body: `<iframe src="${origin}/config.json"></iframe><iframe src="${origin}/"></iframe>`,
      }),
    });
    // Apart from the window, whose complaints fail the test.
    const page = await context.browser()?.newPage();
    const refused: string[] = [];
    page?.on('console', (message) => refused.push(message.text()));
    await page?.goto(foreign.origin);
    const refusal = expect.stringContaining(`directive: "frame-ancestors ${platformPage}"`);
    await expect.poll(() => refused).toEqual([refusal, refusal]);
    const framed = page?.frames().filter((frame) => frame.url().startsWith(origin));
    await page?.close();
    await foreign.close();
    expect(framed).toEqual([]);
  });
});

describe('a console without a sign-in of its own', () => {
  it('leads to the platform, which opens the wanted page', async () => {
    const { page } = await browser.begin();
    const platformUrl = `${platformPage}/webhooks`;
    await page.route('**/config.json', (route) => route.fulfill({ json: { api, platformUrl } }));
    await page.goto(`${origin}/event-types`);
    await page.getByRole('heading', { name: 'Open your webhooks from the platform' }).waitFor();
    expect(await page.getByRole('button', { name: 'Sign in' }).count()).toBe(0);

    await page.getByRole('link', { name: 'Go to the platform' }).click();

    await frameOf(page).getByRole('heading', { name: 'Event catalogue', level: 1 }).waitFor();
  });
});
