import { describe, expect, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';

const { account, api } = inject('service');
const browser = visits();

describe('the e-mails about failures', () => {
  it('are turned off and on again by an admin', async () => {
    const { page, signIn, look } = await browser.begin();
    // The stage under test may send no e-mails, and the service stores the switch nevertheless.
    await page.route(
      ({ origin, pathname }) =>
        origin === new URL(api).origin && pathname.endsWith(`/accounts/${account}`),
      async (route) => {
        if (route.request().method() === 'OPTIONS') return route.continue();
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), mailEnabled: true } });
      },
    );
    await signIn('admin', `/accounts/${account}/settings`);

    await page.getByRole('button', { name: 'Turn off' }).click();
    await page.getByText('E-mails about failures are turned off.').waitFor();
    await look('failure-mail-off');
    await page.reload();
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByText('The admins of the organisation get an e-mail').waitFor();
    expect(await page.getByRole('button', { name: 'Turn on' }).count()).toBe(0);
  });
});
