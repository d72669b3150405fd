import { Refusal } from '../refusal.ts';
import { ACCOUNT_NAME, type Account, type Accounts } from './account.ts';

/** `organisation` is the name of the organisation's own account. */
export type GetAccount = (organisation: string, name: string) => Promise<Account>;

/** An account of an organisation. Throws `not-found` also for another organisation's account. */
export const buildGetAccount =
  (ports: { accounts: Pick<Accounts, 'find'> }): GetAccount =>
  async (organisation, name) => {
    const found = ACCOUNT_NAME.test(name) ? await ports.accounts.find(name) : undefined;
    if (found?.primaryAccount === organisation) return found;
    throw new Refusal('not-found', 'There is no such account.');
  };
