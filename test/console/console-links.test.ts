import { describe, expect, inject, it } from 'vitest';
import { newConsoleLink } from '../../local/console/console-link.ts';
import { enterPassword, visits } from '../support/console/visit.ts';
import { endpoints } from '../support/console/webhook-under-test.ts';

const { account, console: origin = '' } = inject('service');
const browser = visits();
const endpoint = endpoints();

/** The address that the platform of the local run leads to. */
const newLink = async (): Promise<string> => {
  const answer = await fetch(`${origin}/link`, { redirect: 'manual' });
  return answer.headers.get('location') ?? '';
};

/** A link that leads to a page of the console. */
const newLinkTo = (page: string): Promise<string> => newConsoleLink(inject('service'), { page });

/** An answer that the pages of the console may read. */
const OF_API = { 'access-control-allow-origin': origin };

const NEW_WEBHOOK = `/accounts/${account}/settings/integrations/new`;

describe('a link to the console', () => {
  it('opens the console without a sign-in, and leaves no code behind', async () => {
    const { page, look } = await browser.begin();
    const link = await newLink();
    const referrers: (string | undefined)[] = [];
    page.on('request', (request) => referrers.push(request.headers().referer));

    await page.goto(link);
    await page.getByText('Grace Hopper', { exact: true }).waitFor();
    await page.getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();

    expect(new URL(link).hash).toMatch(/^#code=mcl_/);
    expect(page.url()).not.toContain('#');
    expect(referrers.filter((referrer) => referrer?.includes('code'))).toEqual([]);
    await page.goto('about:blank');
    await page.goBack();
    await page.getByText('Open your webhooks from the platform').waitFor();
    expect(page.url()).not.toContain('#');
    await look('opened-by-platform');

    await page.getByRole('button', { name: 'Sign in' }).click();
    await enterPassword(page, 'admin');
    await page.getByText('u_ada', { exact: true }).waitFor();
    expect(page.url()).toBe(link.split('#')[0]);
  });

  it('opens once', async () => {
    const { page, look } = await browser.begin();
    const link = await newLink();
    await page.goto(link);
    await page.getByText('Grace Hopper', { exact: true }).waitFor();

    const { page: another } = await browser.begin();
    await another.goto(link);

    await another.getByText('This link has been used or has expired').waitFor();
    await another.getByText('Open your webhooks from the platform again.').waitFor();
    await page.goto('about:blank');
    await page.goto(link);
    await page.getByText('This link has been used or has expired').waitFor();
    await look('link-expired');
  });

  it('opens a session whose changes Activity shows by the name of the user', async () => {
    const { page } = await browser.begin();
    await page.goto(await newLinkTo(NEW_WEBHOOK));
    await page.getByLabel('Endpoint URL').fill(endpoint.newUrl());
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText(/^whsec_/).waitFor();

    await page.goto('about:blank');
    await page.goto(await newLinkTo(`/accounts/${account}/settings/activity`));

    const activity = page.getByRole('table', { name: 'Activity' });
    await activity.getByText('Grace Hopper').first().waitFor();
    await activity
      .getByText(/^Through a console link \(ses_/)
      .first()
      .waitFor();
  });

  it('says when its session has ended, whatever the clock of the browser says, and keeps the page', async () => {
    const { page, look } = await browser.begin();
    await page.clock.setFixedTime(Date.now() + 9 * 3_600_000);
    await page.goto(await newLinkTo(NEW_WEBHOOK));
    await page.getByLabel('Endpoint URL').fill('https://hooks.example.com');

    await page.route('**/integrations', (route) => route.fulfill({ status: 401, headers: OF_API }));
    await page.getByRole('button', { name: 'Save' }).click();

    await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
    await look('session-ended');
    await page.getByRole('button', { name: 'Close modal' }).click();
    await page.getByText('Your session has ended. Open your webhooks').waitFor();
    expect(await page.getByLabel('Endpoint URL').inputValue()).toBe('https://hooks.example.com');
  });

  it('opens at a second try, after the first had no answer', async () => {
    const { page } = await browser.begin();
    await page.route('**/console-sessions', (route) => route.abort(), { times: 1 });
    await page.goto(await newLink());
    const again = page.getByRole('button', { name: 'Try again' });
    await again.waitFor();
    const tries: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/console-sessions')) tries.push(request.method());
    });
    await again.dblclick();
    await page.getByText('Grace Hopper', { exact: true }).waitFor();
    expect(tries).toEqual(['POST']);
  });

  it('opens in place of an earlier one at the same page', async () => {
    const { page } = await browser.begin();
    await page.goto(`${origin}/#code=mcl_used`);
    await page.getByText('This link has been used or has expired').waitFor();
    await page.goto(await newLink());
    await page.getByText('Grace Hopper', { exact: true }).waitFor();
  });

  it('ends its session with a sign-out, and revokes its token', async () => {
    const { page } = await browser.begin();
    const opening = page.waitForResponse('**/console-sessions');
    await page.goto(await newLink());
    const { id } = (await (await opening).json()) as { id: string };
    const revocation = page.waitForResponse((answer) => answer.url().endsWith(id));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    const answer = await revocation;
    expect([answer.request().method(), answer.status()]).toEqual(['DELETE', 204]);
  });
});
