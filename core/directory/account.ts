import { AdministrationError } from './administration-error.ts';

export interface Account {
  readonly name: string;
  /** Never changes. */
  readonly parent?: string;
  /** The top of the chain of parents, itself without a parent: where tokens and integrations are. */
  readonly primaryAccount: string;
  readonly createdAt: string;
}

export interface Accounts {
  /** Strongly consistent. */
  find(name: string): Promise<Account | undefined>;
  /** `exists` when there is an account of that name; it is left as it is. */
  add(account: Account): Promise<'added' | 'exists'>;
}

export const existingAccount = async (accounts: Accounts, name: string): Promise<Account> => {
  const account = await accounts.find(name);
  if (account === undefined) throw new AdministrationError(`There is no account "${name}".`);
  return account;
};
