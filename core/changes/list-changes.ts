import type { Accounts } from '../directory/account.ts';
import type { ChangePage, ChangeView } from './change-log.ts';

export type ListChanges = ChangeView['pageOf'];

/** Of the account alone: a removed account of the name may have left changes. */
export const buildListChanges =
  (ports: { accounts: Pick<Accounts, 'find'>; changes: ChangeView }): ListChanges =>
  async (name, options): Promise<ChangePage> => {
    const account = await ports.accounts.find(name);
    const createdAt = new Date(account?.createdAt ?? 0);
    const since = options.since && options.since > createdAt ? options.since : createdAt;
    return ports.changes.pageOf(name, { ...options, since });
  };
