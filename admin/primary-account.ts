import { type Account, isOrganisation } from '../core/directory/account.ts';
import { AdministrationError } from '../core/refusal.ts';
import type { Connection } from './connection.ts';

/** Throws for an account that does not exist, and for one below another: it has no integrations. */
export const primaryAccount = async (connection: Connection, name: string): Promise<Account> => {
  const account = await (await connection.administration()).findAccount(name);
  if (isOrganisation(account)) return account;
  throw new AdministrationError(
    `Account "${name}" is below "${account.primaryAccount}", which has the integrations: name that account.`,
  );
};
