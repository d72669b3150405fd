import { describe, expect, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';

const { account } = inject('service');
const browser = visits();

describe('the access tokens', () => {
  it('are created with an expiry, listed, and revoked', async () => {
    const { page, signIn, look } = await browser.begin();
    await signIn('admin', `/accounts/${account}/settings/access-tokens`);
    const name = `Import ${Date.now()}`;

    await page.getByRole('button', { name: 'Create token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
    await dialog.getByRole('button', { name: /^Expires/ }).click();
    await page.getByRole('option', { name: 'In 30 days' }).click();
    await look('token-to-create');
    await dialog.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByText(`The token ${name} is ready`).waitFor();
    await page.getByRole('button', { name: 'I have stored the token' }).click();

    const row = page.getByRole('row', { name });
    await row.getByText('In force').waitFor();
    const expires = await row.locator('time').first().getAttribute('dateTime');
    const days = (Date.parse(expires ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    await look('token-that-expires');

    await row.getByRole('button', { name: `Revoke ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await row.getByText('Revoked').waitFor();
  });
});
