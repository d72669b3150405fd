import { AdministrationError } from '../refusal.ts';

export const ACCOUNT_NAME = /^[a-z0-9][a-z0-9-]{1,62}$/;

export interface Account {
  readonly name: string;
  /** Never changes. */
  readonly parent?: string;
  /** The account at the top of the chain of parents: it has the tokens and the integrations. */
  readonly primaryAccount: string;
  /** Whether the admins get e-mails about failures. Absent means true. */
  readonly failureMail?: boolean;
  readonly createdAt: string;
}

export const isOrganisation = ({ name, primaryAccount }: Account): boolean =>
  name === primaryAccount;

/** SQS keeps no message longer: until then, queues can have messages of a removed account. */
export const NAME_BLOCKED_MS = 14 * 86_400_000;

export interface Accounts {
  /** Strongly consistent. */
  find(name: string): Promise<Account | undefined>;
  /**
   * With its place in the tree. `exists` when there is an account of that name, which stays as it is.
   */
  add(account: Account): Promise<'added' | 'exists'>;
  /**
   * From now on the account gets no integration, token or link, nor another account its name. It is
   * still found.
   */
  beginRemoval(account: Account, at: Date): Promise<void>;
  /** Also from the tree, and notes that it was removed at an instant. */
  remove(account: Account, at: Date): Promise<void>;
  /** When the account of the name was removed, or its removal began, for as long as the name is blocked. */
  removedAt(name: string): Promise<string | undefined>;
  /** Of an organisation's own account. Does nothing if it was removed. */
  replace(account: Account): Promise<void>;
}

export interface PageOptions {
  readonly limit: number;
  /** The `next` of the page before. */
  readonly after?: string | undefined;
}

export interface EveryOrganisation {
  /** Organisations' own accounts, in no particular order. No `next` on the last page. */
  pageOfOrganisations(
    options: PageOptions,
  ): Promise<{ accounts: readonly Account[]; next?: string }>;
}

/** The accounts below an organisation's own account, at any depth. */
export interface AccountTree {
  /** Accounts below a primary account, by name. No `next` on the last page. Strongly consistent. */
  listOf(
    primaryAccount: string,
    options: PageOptions,
  ): Promise<{ accounts: readonly Account[]; next?: string }>;
}

export const existingAccount = async (accounts: Accounts, name: string): Promise<Account> => {
  const account = await accounts.find(name);
  if (account === undefined) throw new AdministrationError(`There is no account "${name}".`);
  return account;
};

const PAGE_LIMIT = 100;

export const everyPage = async <Page extends { readonly next?: string }>(
  read: (options: PageOptions) => Promise<Page>,
): Promise<Page[]> => {
  const pages: Page[] = [];
  let after: string | undefined;
  do {
    const page = await read({ limit: PAGE_LIMIT, after });
    pages.push(page);
    after = page.next;
  } while (after !== undefined);
  return pages;
};

/** Throws for an account that has a parent: an empty list of what it cannot have would mislead. */
export const requirePrimary = ({ name, primaryAccount }: Account): void => {
  if (name === primaryAccount) return;
  throw new AdministrationError(
    `Account "${name}" is below "${primaryAccount}", which has the tokens and the accounts: name that account.`,
  );
};
