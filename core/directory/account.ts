import { AdministrationError } from './administration-error.ts';

export interface Account {
  readonly name: string;
  /** Never changes. */
  readonly parent?: string;
  /** The account at the top of the chain of parents: it has the tokens and the integrations. */
  readonly primaryAccount: string;
  readonly createdAt: string;
}

export interface Accounts {
  /** Strongly consistent. */
  find(name: string): Promise<Account | undefined>;
  /** `exists` when there is an account of that name, which stays as it is. */
  add(account: Account): Promise<'added' | 'exists'>;
}

/** The account of a name. Throws `AdministrationError` when there is none. */
export const existingAccount = async (accounts: Accounts, name: string): Promise<Account> => {
  const account = await accounts.find(name);
  if (account === undefined) throw new AdministrationError(`There is no account "${name}".`);
  return account;
};
