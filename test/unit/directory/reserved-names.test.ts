import { expect, it } from 'vitest';
import { ACCOUNT_NAME } from '../../../core/directory/account.ts';
import { ROUTES } from '../../../lambdas/api/openapi/routes.ts';
import { administrationInMemory } from '../../support/directory/administration.ts';

const firstSegments = ROUTES.map(({ path }) => path.split('/')[1] ?? '').filter((segment) =>
  ACCOUNT_NAME.test(segment),
);

it.each([...new Set(firstSegments)])(
  'No account is named as the fixed path /%s of the API',
  async (name) => {
    const { administration } = administrationInMemory();
    await expect(administration.createAccount(name)).rejects.toThrow("cannot be an account's name");
  },
);
