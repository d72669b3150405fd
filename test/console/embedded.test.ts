import { describe, inject, it } from 'vitest';
import { visits } from '../support/console/visit.ts';

const { api } = inject('service');
const browser = visits();

describe('a console without a sign-in of its own', () => {
  it('says where to open it', async () => {
    const { page, look } = await browser.begin();
    await page.route('**/config.json', (route) => route.fulfill({ json: { api } }));
    await page.goto(`${inject('service').console}/accounts`);
    await page.getByRole('heading', { name: 'Open your webhooks from the platform' }).waitFor();
    await look('opened-by-platform');
  });
});
