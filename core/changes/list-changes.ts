import type { Accounts } from '../directory/account.ts';
import { accountPath } from '../directory/account-resource.ts';
import { integrationPath } from '../integration/integration-resource.ts';
import type { ChangePage, ChangeView } from './change-log.ts';

/** `account` is a name, and `integration` an id. */
export type ListChanges = ChangeView['pageOf'];

/** Of the account alone: a removed account of the name may have left changes. */
export const buildListChanges =
  (ports: { accounts: Pick<Accounts, 'find'>; changes: ChangeView }): ListChanges =>
  async (name, options): Promise<ChangePage> => {
    const account = await ports.accounts.find(name);
    const instants = [options.since, account && new Date(account.createdAt)];
    const since = instants
      .filter((instant) => instant !== undefined)
      .toSorted((one, other) => one.getTime() - other.getTime())
      .at(-1);
    const integration =
      options.integration === undefined ? undefined : integrationPath(options.integration);
    return ports.changes.pageOf(accountPath(name), { ...options, integration, since });
  };
